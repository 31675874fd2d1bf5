import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NodeListener } from '../../../packages/holdfast-server/src/node.ts';
import type { Fate } from './weather.ts';

export const portal = '<!doctype html><title>Welcome</title><p>Please accept the terms to use this network.</p>';
export const html = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };

/** Takes what the API would answer and tells nobody; what its first lines say is known to who asks. */
function nobody(): { readonly response: ServerResponse; readonly status: () => number; readonly type: () => string } {
  let status = 0;
  let type = 'application/json';
  const response = {
    headersSent: false,
    destroyed: false,
    writeHead: (code: number, ...more: unknown[]) => {
      status = code;
      // Names and values one after the other.
      const fields = more.find((one): one is string[] => Array.isArray(one)) ?? [];
      const at = fields.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-type');
      if (at >= 0) type = fields[at + 1] ?? type;
      return response;
    },
    write: () => true,
    end: () => response,
    destroy: () => response,
    once: () => response,
  };
  return { response: response as unknown as ServerResponse, status: () => status, type: () => type };
}

const problem = (response: ServerResponse, status: number, more: Record<string, string> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...more }).end('{"wrong":"on purpose"}');

async function read(request: IncomingMessage): Promise<void> {
  for await (const _ of request) continue;
}

/** One request meets its fate, on the real socket. @param slowMs how long `slow` takes */
export async function suffer(
  fate: Fate,
  api: NodeListener,
  request: IncomingMessage,
  response: ServerResponse,
  slowMs: number,
): Promise<void> {
  const reset = (): void => void request.socket.resetAndDestroy();
  switch (fate) {
    case 'ok':
      return api(request, response);
    case 'slow':
      await new Promise((late) => setTimeout(late, slowMs));
      return api(request, response);
    case 'reset-before':
      await read(request);
      return reset();
    case 'reset-after':
      await api(request, nobody().response);
      return reset();
    case 'cut-answer': {
      const cut = nobody();
      await api(request, cut.response);
      // Its first lines are whole, and true: who hears "done" may believe it.
      response.writeHead(cut.status(), { 'content-type': cut.type(), 'content-length': '1000' });
      return void response.write('{"cut":', reset);
    }
    case 'hang-before':
      return read(request);
    case 'hang-after':
      return api(request, nobody().response);
    case '500':
      await read(request);
      return problem(response, 500);
    case '502-after':
      await api(request, nobody().response);
      return problem(response, 502);
    case '503':
    case '429':
      await read(request);
      return problem(response, Number(fate), { 'retry-after': '1' });
    case 'captive':
      await read(request);
      return void response.writeHead(200, html).end(portal);
    case 'portal':
      await read(request);
      return void response.writeHead(302, { location: '/portal' }).end();
  }
}
