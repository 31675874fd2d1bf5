import { idempotent } from '../../../packages/holdfast-server/src/index.ts';
import { nodeListener, type NodeListener } from '../../../packages/holdfast-server/src/node.ts';
import { sqliteStore, withIdempotency } from '../../../packages/holdfast-server/src/sqlite.ts';
import type { Effect, Intent } from '../intent.ts';

/** The part of the API that works. */
export interface Work {
  readonly api: NodeListener;
  /** Everything that was done, in order. */
  readonly ledger: () => readonly Effect[];
  /** How many of them. */
  readonly count: () => number;
}

/** Each write has one effect: a line in the ledger, written in one SQLite transaction with its key. */
export function work(path: string): Work {
  const store = sqliteStore({ path });
  const { database } = store;
  database.exec(
    'CREATE TABLE IF NOT EXISTS effects (seq INTEGER PRIMARY KEY AUTOINCREMENT, intent TEXT NOT NULL, key TEXT NOT NULL)',
  );
  const add = database.prepare('INSERT INTO effects (intent, key) VALUES (?, ?)');
  const all = database.prepare(
    `SELECT json_group_array(json_object('intent', intent, 'key', key)) AS lines
     FROM (SELECT intent, key FROM effects ORDER BY seq)`,
  );
  const counted = database.prepare('SELECT count(*) AS lines FROM effects');
  const handler = idempotent(
    async (request, context) => {
      const { intent, poison } = (await request.json()) as Intent;
      if (poison) return Response.json({ wrong: 'this can never be done' }, { status: 422 });
      return withIdempotency(store, context, () => {
        add.run(intent, context?.key ?? 'none');
        const body = new TextEncoder().encode(JSON.stringify({ intent }));
        return { status: 201, headers: [['content-type', 'application/json']], body, bodyKept: true };
      });
    },
    { store, principal: () => 'somebody', onUnknown: 'rerun' },
  );
  return {
    api: nodeListener(handler, { onError: () => undefined }),
    ledger: () => JSON.parse((all.get() as { lines: string }).lines) as Effect[],
    count: () => (counted.get() as { lines: number }).lines,
  };
}
