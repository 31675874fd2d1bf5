/** Made on the device, so that what is shown at once and what the server has later are known to be the same. */
export type Note = { readonly id: string; readonly text: string };

export async function loadNotes(): Promise<readonly Note[]> {
  const response = await fetch('/api/notes');
  if (!response.ok) throw new Error(`The notes could not be loaded (${response.status}).`);
  return (await response.json()) as Note[];
}

export const newNote = (text: string): Note => ({ id: crypto.randomUUID(), text });

/** A note as a write: its `meta` is what is drawn until the server has it. */
export const asWrite = (note: Note) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(note),
  outbox: { meta: note },
});

export const words = {
  sending: 'Sending',
  saved: 'Saved on this device',
  confirmed: 'Confirmed by server',
  refused: 'Refused',
  dead: 'Needs attention',
  failed: 'Not saved',
} as const;
