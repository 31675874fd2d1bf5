import { hints } from '../browser/hints';
import { readAwake, type Message } from '../core/messages';
import type { Context } from '../flow/context';
import type { Drain } from '../flow/drain';
import type { WakeReason } from '../flow/wake-reason';

/** Decides who sends: the worker where one of ours controls the page, otherwise the page itself. */
export interface WhoSends {
  /** Has the queue looked at, by whoever sends. */
  wake(why: WakeReason): Promise<void>;
  /** Has this page look, whoever sends otherwise. */
  wakeHere(why: WakeReason): Promise<void>;
  /** True once the controlling worker has said that it has this outbox. */
  byWorker(): boolean;
  /** A worker controls this page, whosever it is. */
  controlled(): boolean;
  /** Names the run of the worker of ours that controls this page; undefined when it is gone, dead or another's. */
  workerRun(): Promise<string | undefined>;
  /** Tells the worker that the page has aborted the request with this key. */
  abandon(key: string): void;
}

/** How long a worker may take to say that it is awake, ms (a cold start takes some hundred); after that the page drains. */
const answerMs = 3_000;

/** @param onKnown a worker has just said that it has this outbox */
export function whoSends(context: Context, drain: Drain, onKnown: () => void): WhoSends {
  let known: ServiceWorker | undefined;

  function controller(): ServiceWorker | undefined {
    return ('serviceWorker' in navigator && navigator.serviceWorker?.controller) || undefined;
  }

  /** Asks the worker; null when it says nothing in time: not ours, gone, or slow. A late answer still counts. */
  function ask(worker: ServiceWorker, why: WakeReason): Promise<{ readonly run?: string } | null> {
    return new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      const cancel = context.system.timer(answerMs, () => {
        hints?.strangeWorker(context.config.name);
        resolve(null);
      });
      port1.onmessage = ({ data }) => {
        const awake = readAwake(data);
        // Another listener of that worker may answer anything to anybody; ours may still come.
        if (!awake) return;
        cancel();
        port1.close();
        if (known !== worker) {
          known = worker;
          onKnown();
        }
        resolve(awake);
      };
      const message: Message = { v: 1, type: 'wake', outbox: context.config.name, why };
      worker.postMessage(message, [port2]);
    });
  }

  return {
    async wake(why) {
      const worker = controller();
      if (worker && (await ask(worker, why))) return;
      // Safe beside a slow worker: lock and leases see to it that each request is sent by one.
      await drain.wake(why);
    },
    wakeHere: (why) => drain.wake(why),
    byWorker: () => known !== undefined && known === controller(),
    controlled: () => controller() !== undefined,
    async workerRun() {
      const worker = controller();
      return worker && (await ask(worker, 'timer'))?.run;
    },
    abandon(key) {
      const message: Message = { v: 1, type: 'abandon', outbox: context.config.name, key };
      controller()?.postMessage(message);
    },
  };
}
