import type { Answer, RunContext } from 'holdfast-server';
import { withIdempotency, type SqliteStore } from 'holdfast-server/sqlite';
import type { Deed } from './ledger';

/** Has an effect and gives its answer; throws a Problem to have none. */
export type Work = (deed: Deed) => Answer;

/** Commits the work of one request: its rows, its line in the ledger, its key and its answer, all or nothing. */
export type Commit = (request: Request, user: string, run: RunContext | undefined, work: Work) => Response;

/** @param afterCommit called when the work is committed and nobody has been told: the worst moment to die */
export function committer(store: SqliteStore, afterCommit: () => void): Commit {
  return (request, user, run, work) => {
    const { pathname } = new URL(request.url);
    const deed: Deed = { key: run?.key ?? null, method: request.method, path: pathname, user, at: Date.now() };
    const response = withIdempotency(store, run, () => work(deed));
    afterCommit();
    return response;
  };
}
