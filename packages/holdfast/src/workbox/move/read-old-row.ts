import type { RequestParts } from '../../core/entry';
import { OutboxError } from '../../core/errors';
import type { Captured } from '../../flow/capture';
import { capturedFrom, type RequestData } from '../request-data';
import type { OldRow } from './old-database';

/** What is made of a row that an earlier library left. */
export interface Salvaged {
  /** Undefined when the row names none. */
  readonly queue: string | undefined;
  readonly captured: Captured;
  readonly timestamp: number;
  readonly metadata?: object;
  readonly keepalive: boolean;
  /** What keeps it from being sent, and the row without its bytes; absent when it can be sent. */
  readonly broken?: { readonly why: string; readonly raw: unknown };
}

/** Names the row for as long as it lies there: an id alone may be another row's one day. */
export function printOf({ id, value }: OldRow): string {
  const { timestamp, requestData } = (value ?? {}) as { timestamp?: unknown; requestData?: Partial<RequestData> };
  const size = requestData?.body instanceof ArrayBuffer ? requestData.body.byteLength : 0;
  return JSON.stringify([id, timestamp, requestData?.url, size]);
}

export function queueOf({ value }: OldRow): string | undefined {
  const { queueName } = (value ?? {}) as { queueName?: unknown };
  return typeof queueName === 'string' ? queueName : undefined;
}

/** Reads a row of Workbox (database version 3) or Serwist. Never throws: what cannot be sent comes back as it was found. */
export function readOldRow(row: OldRow, now: number): Salvaged {
  const value = (row.value ?? {}) as { requestData?: RequestData; timestamp?: unknown; metadata?: unknown };
  const { requestData, timestamp, metadata } = value;
  const queue = queueOf(row);
  const common = {
    queue,
    timestamp: typeof timestamp === 'number' && Number.isFinite(timestamp) ? timestamp : now,
    keepalive: requestData?.['keepalive'] === true,
    ...(typeof metadata === 'object' && metadata !== null && { metadata }),
  };
  try {
    if (queue === undefined) throw new OutboxError('unreadable', 'the row belongs to no queue');
    if (typeof requestData !== 'object' || requestData === null || typeof requestData.url !== 'string') {
      throw new OutboxError('unreadable', 'the row has no request in it');
    }
    return { ...common, captured: capturedFrom(requestData) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ...common, captured: whatIsThere(requestData), broken: { why, raw: withoutBytes(row.value) } };
  }
}

/** Of a request that is none: what people can look at. */
function whatIsThere(data: Partial<RequestData> | undefined): Captured {
  const text = (name: string): string => (typeof data?.[name] === 'string' ? data[name] : '');
  const headers = Object.entries(data?.headers ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  const request: RequestParts = {
    method: text('method') || 'GET',
    url: text('url'),
    headers,
    mode: 'cors',
    credentials: 'same-origin',
    cache: 'default',
    redirect: 'follow',
    referrer: '',
    referrerPolicy: '',
    integrity: '',
  };
  const body =
    data?.body instanceof ArrayBuffer && data.body.byteLength > 0 ? new Uint8Array(data.body.slice(0)) : null;
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return { request, type, body };
}

function withoutBytes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { requestData, ...others } = value as { requestData?: { body?: unknown } };
  if (typeof requestData !== 'object' || requestData === null) return value;
  const { body: _, ...rest } = requestData;
  return { ...others, requestData: rest };
}
