import { outbox } from './outbox';

/** For the test: how many listen, and the way out. Import it before the app, which subscribes. */
let listening = 0;
if (outbox) {
  const subscribe = outbox.subscribe.bind(outbox);
  outbox.subscribe = (listener) => {
    const stop = subscribe(listener);
    listening += 1;
    return () => {
      stop();
      listening -= 1;
    };
  };
}

export const expose = (unmount: () => void): unknown =>
  Object.assign(window, { example: { outbox, unmount, listening: () => listening } });
