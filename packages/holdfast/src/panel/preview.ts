import type { Preview } from './desk';

/** Longest text shown, in bytes: a page stays quick, and what matters in a payload is at its beginning. */
const textBytes = 64 * 1024;
/** Longest edge of a picture, in CSS pixels. */
const edge = 480;

const textual = /^text\/|[/+](json|xml|x-www-form-urlencoded|javascript|x-ndjson)\b/i;

/**
 * What to show of a stored body. A picture is decoded to a bitmap and drawn on a canvas: no `blob:` address, so it works
 * under `img-src 'self'`, and a format that can carry scripts (SVG) is not rendered at all.
 */
export async function previewOf(body: Blob | null): Promise<Preview> {
  if (!body || body.size === 0) return { kind: 'none' };
  if (body.type.startsWith('image/')) {
    const bitmap = await createImageBitmap(body).catch(() => null);
    if (bitmap) return { kind: 'image', bitmap };
  }
  if (textual.test(body.type) || body.type === '') {
    const text = await body.slice(0, textBytes).text();
    if (!text.includes('\0')) return { kind: 'text', text: pretty(text), cut: body.size > textBytes };
  }
  return { kind: 'other', type: body.type, size: body.size };
}

/** JSON in lines, but only where that changes nothing else: numbers too long for JavaScript stay as they were sent. */
export function pretty(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}

export function draw(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  const scale = Math.min(1, edge / Math.max(bitmap.width, bitmap.height));
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
}
