import { randomBytes } from 'node:crypto';
import type { User } from '../wire';
import { one, run, type Database } from './database';

/** The two inspectors who share this device. There are no passwords: this is about whose work is sent, not about keys. */
export const users: readonly User[] = [
  { id: 'ines', name: 'Ines Duarte' },
  { id: 'tomas', name: 'Tomas Berg' },
];

export const cookieName = 'round-session';
/** What the cookie says once somebody signed out; a missing cookie is something else. */
export const signedOut = 'signed-out';

/**
 * Who sends a request. A device that has no cookie yet has been handed to the first inspector, so that the first visit
 * begins with work and not with a form.
 *
 * @param token the cookie's value
 * @returns     null for somebody signed out, or whose session was ended on the server
 */
export function userOf(db: Database, token: string | undefined): User | null {
  if (token === undefined) return users[0] ?? null;
  const row = one<{ user_id: string }>(db, 'SELECT user_id FROM sessions WHERE token = ?', token);
  return users.find((user) => user.id === row?.user_id) ?? null;
}

/** @returns the new session's token */
export function signIn(db: Database, user: User, now: number): string {
  const token = randomBytes(24).toString('base64url');
  run(db, 'INSERT INTO sessions (token, user_id, created_at) VALUES (?, ?, ?)', token, user.id, now);
  return token;
}

export function signOut(db: Database, token: string | undefined): void {
  if (token !== undefined) run(db, 'DELETE FROM sessions WHERE token = ?', token);
}

export function endAllSessions(db: Database): number {
  return run(db, 'DELETE FROM sessions');
}
