import { start } from './main';

/** The process: runs until it is told to stop. A second signal, or one while hanging requests are cut, ends it at once. */
try {
  const demo = await start(process.env);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void demo.close().then(() => process.exit(0)));
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
