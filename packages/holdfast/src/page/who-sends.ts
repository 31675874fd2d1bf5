import type { Message } from '../core/messages';
import type { Context } from '../flow/context';
import type { Drain, WakeReason } from '../flow/drain';

/** Decides who sends: the worker where one of ours controls the page, otherwise the page itself. */
export interface WhoSends {
  /** Has the queue looked at, by whoever sends. */
  wake(why: WakeReason): Promise<void>;
  /** True once the controlling worker has said that it has this outbox. */
  byWorker(): boolean;
  /** A worker controls this page, whosever it is. */
  controlled(): boolean;
}

/** How long a worker may take to say that it is awake, ms (a cold start takes some hundred); after that the page drains. */
const answerMs = 3_000;

export function whoSends(context: Context, drain: Drain): WhoSends {
  let known: ServiceWorker | undefined;

  function controller(): ServiceWorker | undefined {
    return ('serviceWorker' in navigator && navigator.serviceWorker?.controller) || undefined;
  }

  /** Asks the worker; false when it says nothing: not ours, or gone. */
  function ask(worker: ServiceWorker, why: WakeReason): Promise<boolean> {
    return new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      const done = (answered: boolean): void => {
        cancel();
        port1.close();
        resolve(answered);
      };
      const cancel = context.system.timer(answerMs, () => done(false));
      port1.onmessage = () => done(true);
      const message: Message = { v: 1, type: 'wake', outbox: context.config.name, why };
      worker.postMessage(message, [port2]);
    });
  }

  return {
    async wake(why) {
      const worker = controller();
      if (worker && (await ask(worker, why))) {
        known = worker;
        return;
      }
      known = undefined;
      await drain.wake(why);
    },
    byWorker: () => known !== undefined && known === controller(),
    controlled: () => controller() !== undefined,
  };
}
