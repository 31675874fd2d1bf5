import type { CallOptions } from '../core/options';
import { callHeader, headerOf, withHeaders } from '../core/wire';
import type { Captured } from '../flow/capture';

/** Takes the page's per-call options off a request. Junk in the header is ignored: anybody on the origin can set it. */
export function readCall(captured: Captured): { readonly call: CallOptions; readonly request: Captured } {
  const value = headerOf(captured.request.headers, callHeader);
  if (value === null) return { call: {}, request: captured };
  const headers = withHeaders(captured.request.headers, { [callHeader]: null });
  return { call: parse(value), request: { ...captured, request: { ...captured.request, headers } } };
}

function parse(value: string): CallOptions {
  try {
    const parsed: unknown = JSON.parse(decodeURIComponent(value));
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
