import type { Entry, RequestParts } from '../core/entry';
import { fillJson, fillText, hasPlaceholder } from '../core/placeholders';
import type { Body } from '../ports';

/** A request with the values of earlier answers in their places; the same on every attempt. @throws OutboxError `dependency-failed` */
export async function complete(entry: Entry, body: Body | null): Promise<{ request: RequestParts; body: Body | null }> {
  const { request, parents } = entry;
  if (!parents) return { request, body };
  const filled: RequestParts = {
    ...request,
    url: fillText(request.url, parents, encodeURIComponent),
    headers: request.headers.map(([name, value]) => [name, fillText(value, parents).replace(/[\r\n]/g, ' ')] as const),
  };
  if (body === null || !/json|text\/|x-www-form-urlencoded/i.test(entry.body.type)) return { request: filled, body };
  const bytes = body instanceof Uint8Array ? body : new Uint8Array(await body.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  if (!hasPlaceholder(text)) return { request: filled, body };
  const whole = /json/i.test(entry.body.type)
    ? fillJson(text, parents)
    : fillText(text, parents, entry.body.type.includes('urlencoded') ? encodeURIComponent : undefined);
  return { request: filled, body: new TextEncoder().encode(whole) };
}
