import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../browsers/find-program.ts';
import { canInstall, installPackages } from './debian.ts';

/**
 * Finds the database servers that the tests of `holdfast-server` start for themselves, and installs what is missing where
 * that takes no question. Without them those tests are skipped, and in CI a missing one is a failure.
 */

/** Debian keeps each version's programs in a folder of its own, outside of PATH. */
const debianPostgres = '/usr/lib/postgresql';
const postgresVersions = () => (existsSync(debianPostgres) ? readdirSync(debianPostgres) : []);
const hasPostgres = () =>
  findProgram('initdb') !== undefined ||
  postgresVersions().some((version) => existsSync(join(debianPostgres, version, 'bin/initdb')));
const hasRedis = () => findProgram('redis-server') !== undefined;

const services = [
  { name: 'PostgreSQL', isThere: hasPostgres, packageName: 'postgresql' },
  { name: 'Redis', isThere: hasRedis, packageName: 'redis-server' },
];
const missing = () => services.filter(({ isThere }) => !isThere());

if (missing().length > 0 && canInstall) installPackages(missing().map(({ packageName }) => packageName));

for (const { name, packageName } of missing())
  console.error(`${name} is missing; its tests need it. On Debian: apt-get install ${packageName}`);
if (missing().length > 0 && process.env['CI'] === 'true') process.exitCode = 1;
