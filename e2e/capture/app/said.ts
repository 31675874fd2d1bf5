/**
 * What this page or worker says to its console, and what it leaves unhandled, from before anything else runs. WebKitGTK's console
 * cannot be read from outside; a worker's neither in Firefox.
 */
export const said: string[] = [];

for (const level of ['debug', 'log', 'info', 'warn', 'error', 'trace', 'assert', 'table', 'group'] as const) {
  const before = console[level].bind(console) as (...words: unknown[]) => void;
  console[level] = (...words: unknown[]) => {
    said.push(`${level}: ${words.map(String).join(' ')}`);
    before(...words);
  };
}
self.addEventListener('error', ({ message }) => said.push(`error: ${message}`));
self.addEventListener('unhandledrejection', (event) => {
  // Not before all others have had it: what one of them takes care of is not shown.
  setTimeout(() => event.defaultPrevented || said.push(`unhandled: ${String(event.reason)}`));
});
