import type { ServerResponse } from 'node:http';
import { extname } from 'node:path';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

/**
 * Answers with a file from memory, or 404; nothing is kept by the browser.
 * @param headers sent with every file, such as a policy
 */
export function sendFile(
  files: ReadonlyMap<string, string>,
  path: string,
  response: ServerResponse,
  headers: Readonly<Record<string, string>> = {},
): void {
  const file = files.get(path);
  if (file === undefined) return void response.writeHead(404, { 'cache-control': 'no-store' }).end();
  const type = types[extname(path)] ?? 'text/html; charset=utf-8';
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store', ...headers }).end(file);
}
