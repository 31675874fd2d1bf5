import { createHash } from 'node:crypto';
import type { PgPool } from './postgres';

type Sent = Promise<{ rows: unknown[] }>;

/** How `pg` is told to keep a statement; PGlite does not know this form. */
interface Named {
  query(statement: { name: string; text: string; values: unknown[] }): Sent;
}

/**
 * What a pooler answers that gives each transaction another connection: the statement is not there, or is there already. In
 * both cases nothing was run.
 */
const notKept = ['26000', '42P05'];

/** Sends statements by name, so that each connection plans each of them once; by text only, once that has failed. */
export function preparing(pool: PgPool, prepare: boolean): (text: string, values: unknown[]) => Sent {
  const names = new Map<string, string>();
  let keeps = prepare;

  function nameOf(text: string): string {
    let name = names.get(text);
    // One connection may serve two tables, and PostgreSQL cuts names at 63 characters.
    if (name === undefined) names.set(text, (name = `holdfast_${createHash('sha1').update(text).digest('hex')}`));
    return name;
  }

  return async (text, values) => {
    if (!keeps) return pool.query(text, values);
    try {
      return await (pool as unknown as Named).query({ name: nameOf(text), text, values });
    } catch (error) {
      if (!notKept.includes((error as { code?: string } | null)?.code ?? '')) throw error;
      keeps = false;
      return pool.query(text, values);
    }
  };
}
