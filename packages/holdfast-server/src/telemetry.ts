import type { EventSink, GuardEvent, GuardEventName } from './events';

type Attributes = Record<string, string | number | boolean>;

/** What we use of `@opentelemetry/api`: hand in `metrics.getMeter('…')` and `trace`. */
export interface OpenTelemetry {
  readonly meter?: { createCounter(name: string, options?: { description?: string }): Counter };
  readonly trace?: { getActiveSpan(): Span | undefined };
}

interface Counter {
  add(value: number, attributes?: Attributes): void;
}

interface Span {
  addEvent(name: string, attributes?: Attributes): unknown;
  setAttribute(name: string, value: string | number | boolean): unknown;
}

/**
 * A sink for the `on` option: counts events as `idempotency.events` by name, and writes them into the span of the request
 * that is being served. Neither key nor path is an attribute: both would be without bound.
 */
export function openTelemetrySink({ meter, trace }: OpenTelemetry): EventSink {
  const counter = meter?.createCounter('idempotency.events', { description: 'What became of keyed requests' });
  return (event) => {
    const attributes: Attributes = { 'idempotency.event': event.name };
    if (event.method !== undefined) attributes['http.request.method'] = event.method;
    if (event.status !== undefined) attributes['http.response.status_code'] = event.status;
    if (event.name === 'refuse' && event.detail !== undefined) attributes['idempotency.refusal'] = event.detail;
    counter?.add(1, attributes);
    const span = trace?.getActiveSpan();
    span?.addEvent(`idempotency.${event.name}`, attributes);
    if (event.name === 'replay') span?.setAttribute('idempotency.replayed', true);
  };
}

/** One event as a log takes it. */
export interface LogRecord extends Omit<GuardEvent, 'error'> {
  readonly level: 'debug' | 'info' | 'warn';
  readonly error?: string;
}

const levels: Partial<Record<GuardEventName, LogRecord['level']>> = {
  'lease-lost': 'warn',
  'store-error': 'warn',
  'store-down': 'warn',
  unprotected: 'warn',
  warning: 'warn',
  rerun: 'warn',
  run: 'debug',
  keep: 'debug',
  sweep: 'debug',
};

/**
 * A sink for the `on` option that writes plain records: `on: logSink((record) => console.log(JSON.stringify(record)))`.
 *
 * @param options.level the least that is written @default 'info'
 */
export function logSink(write: (record: LogRecord) => void, options: { level?: LogRecord['level'] } = {}): EventSink {
  const order = ['debug', 'info', 'warn'];
  const least = order.indexOf(options.level ?? 'info');
  return ({ error, ...event }) => {
    const level = levels[event.name] ?? 'info';
    if (order.indexOf(level) < least) return;
    const told = error instanceof Error ? error.message : typeof error === 'string' ? error : undefined;
    write({ level, ...event, ...(told !== undefined && { error: told }) });
  };
}

/** Sends each event to several sinks; one that throws does not keep it from the others. */
export function allSinks(...sinks: readonly EventSink[]): EventSink {
  return (event) => {
    for (const sink of sinks) {
      try {
        sink(event);
      } catch {
        // The next one may work.
      }
    }
  };
}
