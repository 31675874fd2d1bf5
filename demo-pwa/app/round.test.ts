import type { EntryView } from 'holdfast';
import { describe, expect, it } from 'vitest';
import type { Note, NoteDraft } from '../wire';
import { foldRound, type Act, type Write } from './round';

const draft: NoteDraft = { siteId: 'slipway', text: 'wire frayed', rating: 2, createdAt: 100 };
const note: Note = { ...draft, id: 'n1', author: 'ines', version: 3, updatedAt: 200, updatedBy: 'ines', photos: [] };
const photo = { id: 'p1', noteId: 'n1', name: 'a.jpg', type: 'image/jpeg', size: 1, digest: '', createdAt: 1 };

let seq = 0;
function write(act: Act, entry: Partial<EntryView> = {}): Write {
  seq += 1;
  const base: EntryView = {
    ...{ id: `e${seq}`, revision: 1, seq, route: 'records', lane: 'note-n1', method: 'PUT', url: '/', title: '' },
    ...{ state: 'pending', priority: 3, createdAt: 1, dueAt: 1, size: 0, type: '', attempts: 0, tries: 0 },
    ...{ outcome: 'never-sent', history: [], verified: true, status: 0, replayed: false, replays: 0, waitsFor: [] },
    why: null,
  };
  return { noteId: 'n1', act, entry: { ...base, ...entry } };
}
const died = (
  reason: NonNullable<EntryView['dead']>['reason'],
  triage: 'open' | 'closed' = 'open',
): Partial<EntryView> => ({
  state: 'dead',
  dead: { reason, triage, message: '', at: 1 },
});

describe('the round as the inspector sees it', () => {
  it('shows a record made offline at once, as saved on this device', () => {
    expect(foldRound([], [write({ do: 'put', draft })], 0)).toMatchObject([
      { id: 'n1', text: 'wire frayed', stage: 'saved', version: 1, author: null },
    ]);
  });

  it('says sending while it is sent, and confirmed once the server has it', () => {
    expect(foldRound([], [write({ do: 'put', draft }, { state: 'sending' })], 0)).toMatchObject([{ stage: 'sending' }]);
    const delivered = write({ do: 'put', draft }, { state: 'delivered', finishedAt: 300 });
    expect(foldRound([], [delivered], 0)).toMatchObject([{ stage: 'confirmed' }]);
  });

  it('does not lay a delivered change over what was read after it', () => {
    const delivered = write({ do: 'put', draft: { ...draft, text: 'older' } }, { state: 'delivered', finishedAt: 300 });
    expect(foldRound([note], [delivered], 301)).toMatchObject([{ text: 'wire frayed', version: 3 }]);
    expect(foldRound([note], [delivered], 299)).toMatchObject([{ text: 'older', version: 4 }]);
  });

  it('lets the next edit expect the version that all waiting ones will leave behind', () => {
    const edits = [1, 2].map((rating) => write({ do: 'put', draft: { ...draft, rating } }));
    expect(foldRound([note], edits, 0)).toMatchObject([{ rating: 2, version: 5, stage: 'saved' }]);
  });

  it('keeps their text in sight when mine met a conflict, and offers both', () => {
    const mine = { ...draft, text: 'mine' };
    const views = foldRound([note], [write({ do: 'put', draft: mine }, died('conflict'))], 0);
    expect(views).toMatchObject([
      { text: 'wire frayed', version: 3, stage: 'attention', conflict: { mine, theirs: note } },
    ]);
  });

  it('keeps a refused new record in sight with its text', () => {
    const views = foldRound([], [write({ do: 'put', draft }, died('rejected'))], 0);
    expect(views).toMatchObject([{ text: 'wire frayed', stage: 'attention', trouble: { state: 'dead' } }]);
  });

  it('forgets what a person has closed or cancelled', () => {
    const closed = write({ do: 'put', draft: { ...draft, text: 'x' } }, died('rejected', 'closed'));
    const cancelled = write({ do: 'delete' }, died('cancelled'));
    expect(foldRound([note], [closed, cancelled], 0)).toMatchObject([
      { text: 'wire frayed', leaving: false, stage: 'confirmed' },
    ]);
  });

  it('shows a deletion as waiting until it has arrived', () => {
    expect(foldRound([note], [write({ do: 'delete' })], 0)).toMatchObject([{ leaving: true, stage: 'saved' }]);
  });

  it('adds photos that wait, once, and marks those whose removal waits', () => {
    const add = write({ do: 'add-photo', photoId: 'p2', url: 'blob:x' });
    const known = write({ do: 'add-photo', photoId: 'p1', url: 'blob:y' }, { state: 'delivered', finishedAt: 300 });
    const remove = write({ do: 'remove-photo', photoId: 'p1' });
    expect(foldRound([{ ...note, photos: [photo] }], [add, known, remove], 0)).toMatchObject([
      {
        photos: [
          { id: 'p1', url: '/api/photos/p1', leaving: true, stage: 'saved' },
          { id: 'p2', url: 'blob:x', leaving: false, stage: 'saved' },
        ],
      },
    ]);
  });

  it('shows the newest first', () => {
    const later = { ...note, id: 'n2', createdAt: 500 };
    expect(foldRound([note, later], [], 0).map(({ id }) => id)).toEqual(['n2', 'n1']);
  });
});
