const size = 32;
const colours = { waiting: '#0b62c4', attention: '#b3261e' } as const;

/**
 * The page's icon with a dot in the corner, as a `data:` address. The picture is fetched from the page's own origin, so
 * that the canvas may be read; where that fails, the dot stands alone.
 */
export async function drawnIcon(mark: keyof typeof colours): Promise<string> {
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('no 2d canvas here');
  const icon = await ownIcon();
  if (icon) pen.drawImage(icon, 0, 0, size, size);
  pen.fillStyle = colours[mark];
  pen.strokeStyle = '#fff';
  pen.lineWidth = 2;
  pen.beginPath();
  pen.arc(size * 0.7, size * 0.7, size * 0.26, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
  return canvas.toDataURL('image/png');
}

let read: Promise<ImageBitmap | null> | undefined;

/** Read once: after that the icon in the page may be ours. */
function ownIcon(): Promise<ImageBitmap | null> {
  read ??= readIcon().catch(() => null);
  return read;
}

async function readIcon(): Promise<ImageBitmap | null> {
  const href =
    document.querySelector<HTMLLinkElement>('link[rel~="icon"]')?.href ?? new URL('/favicon.ico', location.href).href;
  const answer = await fetch(href);
  return answer.ok ? createImageBitmap(await answer.blob()) : null;
}
