import type { EventSink, GuardEvent, GuardEventName } from './events';
import type { System } from './system';

/** What an event is about. */
export interface About {
  readonly id: string;
  readonly method: string;
  readonly target: string;
}

/** Counts events, and passes them on where somebody listens. */
export interface Teller {
  tell(this: void, name: GuardEventName, about?: About, more?: Partial<GuardEvent>): void;
  counts(): Partial<Record<GuardEventName, number>>;
}

/** @param sink without one, telling costs no more than counting */
export function createTeller(system: System, sink: EventSink | undefined): Teller {
  const counts: Partial<Record<GuardEventName, number>> = {};
  return {
    tell(name, about, more) {
      counts[name] = (counts[name] ?? 0) + 1;
      if (!sink) return;
      try {
        sink({ name, at: system.now(), ...(about && aboutOf(about)), ...more });
      } catch {
        // A log must not cost an answer.
      }
    },
    counts: () => ({ ...counts }),
  };
}

function aboutOf({ id, method, target }: About): About {
  return { id, method, target };
}
