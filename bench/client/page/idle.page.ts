import { play } from './bench';

/** Where the browser begins: nothing to measure, only the way to the first job. */
const options = new URLSearchParams(location.search);
if (options.get('task')) void play({});
else
  void fetch(`${options.get('control')}/next`, { method: 'POST' }).then(
    async (next) => (location.href = await next.text()),
  );
