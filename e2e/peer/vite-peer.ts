import type { Plugin } from 'vite';
import type { BrowserCommand } from 'vitest/node';
import { createPeer, peerPath } from './peer.ts';
import { type RunningPeer, startPeer } from './start-peer.ts';

/** Puts a peer into the server that also serves the tests: `/__echo` is of the same origin as the test page. */
export function peerPlugin(): Plugin {
  const peer = createPeer();
  return {
    name: 'holdfast:peer',
    configureServer: ({ middlewares }) => {
      middlewares.use((request, response, next) => {
        // Lets a test register a worker from anywhere under the source tree for the whole origin.
        response.setHeader('Service-Worker-Allowed', '/');
        if (request.url?.startsWith(peerPath)) peer(request, response).catch(() => response.destroy());
        else next();
      });
    },
  };
}

const started = new Map<number, RunningPeer>();

/** Starts a peer of another origin and gives its URL; with the port of a stopped one it comes back there. */
const startOtherPeer: BrowserCommand<[port?: number]> = async (_context, port = 0) => {
  const peer = await startPeer(port);
  started.set(peer.port, peer);
  return peer.url;
};

/** Stops that peer: its port refuses connections from now on. */
const stopOtherPeer: BrowserCommand<[url: string]> = async (_context, url) => {
  const port = Number(new URL(url).port);
  await started.get(port)?.stop();
  started.delete(port);
};

export const peerCommands = { startPeer: startOtherPeer, stopPeer: stopOtherPeer };
