import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler } from 'hono';
import type { FaultMode, Faults } from '../wire';
import { hit, noFaults } from './faults';
import { Problem, problemResponse } from './problem';

/** The mode in force, for the control doors and for the one handler that has to know. */
export interface FaultSwitch {
  get(): Faults;
  set(faults: Faults): void;
  /** Whether the process is to die at the next commit. */
  crashing(): boolean;
}

interface Trap extends FaultSwitch {
  /** The fault for this request, which counts as a hit. */
  take(method: string): FaultMode;
}

export function faultSwitch(): Trap {
  let faults = noFaults;
  let crash = false;
  return {
    get: () => faults,
    set: (next) => {
      faults = next;
    },
    take: (method) => {
      const { mode, next } = hit(faults, method);
      faults = next;
      crash ||= mode === 'crash';
      return mode;
    },
    crashing: () => crash,
  };
}

/** Makes every request under it suffer the mode in force, on the real socket. */
export function breakThings(faults: Trap): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async (context, next) => {
    const { incoming } = context.env;
    /** An RST, which the client sees as a broken connection and never as an empty answer. */
    const reset = (): Response => {
      incoming.socket.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    };
    const { retryAfterSeconds, slowMs } = faults.get();
    const mode = faults.take(context.req.method);
    switch (mode) {
      case 'refuse':
        return reset();
      case 'reset-before':
        await context.req.raw.arrayBuffer();
        return reset();
      case 'reset-after':
        await next();
        context.res = undefined;
        context.res = reset();
        return;
      case 'hang':
        incoming.resume();
        await new Promise<void>((closed) => incoming.socket.once('close', closed));
        return RESPONSE_ALREADY_SENT;
      case '503':
        return busy(503, 'Down for maintenance', retryAfterSeconds);
      case '429':
        return busy(429, 'Too many requests', retryAfterSeconds);
      case '500':
        return problemResponse(new Problem(500, 'Broken on purpose', 'This server was told to fail.'));
      case 'captive':
        return context.redirect('/__portal', 302);
      case 'slow':
        await new Promise<void>((late) => setTimeout(late, slowMs));
        return next();
      case 'ok':
      case 'crash':
        return next();
    }
  };
}

function busy(status: number, title: string, retryAfterSeconds: number): Response {
  const detail = `This server was told to be busy; come back in ${retryAfterSeconds} s.`;
  return problemResponse(new Problem(status, title, detail), { 'retry-after': String(retryAfterSeconds) });
}
