export { postgresStore } from './stores/postgres';
export type { PgPool, PgQueryable, PostgresStore, PostgresStoreOptions } from './stores/postgres';
export { postgresSchema } from './stores/postgres-statements';
export { withIdempotency } from './stores/with-postgres';
