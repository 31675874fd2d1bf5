import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe } from 'vitest';
import { whyNoPostgres } from '../testing/start-postgres';
import { postgresStore } from './postgres';
import { storeContract } from './store.contract';

const whyNot = whyNoPostgres();
const standIn = whyNot === undefined ? 'beside the real server' : `instead of PostgreSQL: ${whyNot}`;
describe(`the PostgreSQL store on PGlite, ${standIn}`, () => {
  let pglite: PGlite;
  beforeAll(async () => {
    pglite = await PGlite.create();
  }, 60_000);
  afterAll(() => pglite?.close());

  storeContract((clock) => Promise.resolve(postgresStore({ pool: pglite, clock })));
});
