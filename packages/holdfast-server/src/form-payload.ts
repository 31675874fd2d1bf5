import { sha256 } from './digest';
import { boundaryOf, partsOf } from './multipart';

/**
 * A form as one text that is the same for the same fields: without those to be ignored, and for `multipart/*` with each
 * part's digest in place of its content and without the boundary.
 *
 * @returns `undefined` if the body is not well formed
 */
export async function formText(
  bytes: Uint8Array,
  contentType: string,
  ignore: readonly string[],
): Promise<string | undefined> {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) {
    const pairs = new URLSearchParams(new TextDecoder().decode(bytes));
    return JSON.stringify([...pairs].filter(([name]) => !ignore.includes(name)));
  }
  const parts = partsOf(bytes, boundary)?.filter((part) => !ignore.includes(part.name));
  if (!parts) return undefined;
  return JSON.stringify(await Promise.all(parts.map(async (part) => [part.head, await sha256(part.content)])));
}
