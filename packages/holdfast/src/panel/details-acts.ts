import type { Outbox } from '../page/client';
import { errorText, everything, run, say, type Desk, type Question, type Shown } from './desk';
import { addPair, changeDraft, changeOf, openDraft, problemOf, removePair, withSecrets, type Problem } from './draft';
import { fits } from './filter';
import { fill } from './format';
import { fullWords } from './full-words';
import { loadMore } from './pages';
import { previewOf } from './preview';
import { groupOf } from './row';
import { saveFile } from './save-file';

type Act = (desk: Desk, id: string, at: number) => void | Promise<void>;
type BulkAct = Parameters<Outbox['dead']['bulk']>[0];

/** Acts of the unfolded row, of the selection and of the dialog, by the `data-act` of their button. */
export const acts: Readonly<Record<string, Act>> = {
  content: toggleContent,
  cancel(desk, id) {
    const entry = desk.find(id);
    if (entry) desk.set({ question: { ask: 'cancel', entry } });
  },
  edit: (desk, id) => openEditor(desk, id, 'edit'),
  fix: (desk, id) => openEditor(desk, id, 'fix'),
  claim: (desk, id) => claim(desk, [id]),
  close: (desk, id) => desk.set({ question: { ask: 'close', ids: [id], title: desk.find(id)?.title ?? '' } }),
  replay: (desk, id) => bulk(desk, { do: 'replay' }, [id]),
  export: (desk, id) => saveExport(desk, [id]),
  exportAll: (desk) => saveExport(desk),
  bulkReplay: (desk) => bulk(desk, { do: 'replay' }, [...desk.state.picked]),
  bulkClaim: (desk) => claim(desk, [...desk.state.picked]),
  bulkClose: (desk) => desk.set({ question: { ask: 'close', ids: [...desk.state.picked], title: selected(desk) } }),
  bulkExport: (desk) => saveExport(desk, [...desk.state.picked]),
  back: (desk) => desk.set({ question: null }),
  everything: (desk) => desk.set({ filter: everything }),
  more: loadMore,
  pickNone: (desk) => desk.set({ picked: new Set() }),
  pickAll(desk) {
    const fitting = desk.entries.filter(
      (entry) => groupOf(entry) === 'attention' && fits(entry, desk.state.filter, desk.words),
    );
    desk.set({ picked: new Set(fitting.map(({ id }) => id)) });
  },
  addPair: (desk, list) => redraft(desk, (draft) => addPair(draft, list)),
  removePair: (desk, list, at) => redraft(desk, (draft) => removePair(draft, list, at)),
};

/** A field of the editor changed. */
export function editField(desk: Desk, path: string, value: string): void {
  redraft(desk, (draft) => changeDraft(draft, path, value));
}

type Editing = Extract<Question, { readonly ask: 'fix' | 'edit' }>;

function redraft(desk: Desk, change: (draft: Editing['draft']) => Editing['draft']): void {
  const { question } = desk.state;
  if (question && 'draft' in question)
    desk.set({ question: { ...question, draft: change(question.draft), problem: '' } });
}

/** The dialog was answered. @param answer what was typed, or which button saved */
export async function answer(desk: Desk, text: string, button: string): Promise<void> {
  const { question } = desk.state;
  if (!question) return;
  const words = fullWords(desk.words);
  switch (question.ask) {
    case 'cancel': {
      const { id, revision } = question.entry;
      desk.set({ question: null });
      return run(desk, async (outbox) => {
        await outbox.cancel(id, { revision });
        return words.said.cancelled;
      });
    }
    case 'claim':
    case 'close':
      if (!text) return;
      desk.set({ question: null });
      return bulk(
        desk,
        question.ask === 'claim' ? { do: 'claim', assignee: text } : { do: 'close', resolution: text },
        question.ids,
      );
    case 'fix':
    case 'edit':
      return save(desk, question, button === 'do');
  }
}

async function save(desk: Desk, question: Editing, sendAgain: boolean): Promise<void> {
  const words = fullWords(desk.words);
  const { draft, entry, ask } = question;
  const problem = problemOf(draft);
  if (problem) return desk.set({ question: { ...question, problem: problemText(desk, problem) } });
  desk.set({ question: null });
  return run(desk, async (outbox) => {
    const change = changeOf(draft);
    const secret = change.headers && (await outbox.content(entry.id, { secrets: true }));
    const whole = secret ? { ...change, headers: withSecrets(draft, secret.headers) } : change;
    if (Object.keys(whole).length > 0) {
      if (ask === 'edit') await outbox.edit(entry.id, whole, { revision: entry.revision });
      else await outbox.dead.fix(entry.id, whole);
    }
    if (!sendAgain) return words.said.fixed;
    await outbox.dead.replay(entry.id);
    return desk.format.plural(words.said.replayed, 1);
  });
}

function problemText({ words }: Desk, { at, message }: Problem): string {
  const kind = ({ url: 'badUrl', headers: 'badHeader', body: 'badJson' } as const)[at];
  return fill(fullWords(words).text[kind], { message });
}

async function openEditor(desk: Desk, id: string, ask: Editing['ask']): Promise<void> {
  const entry = desk.find(id);
  await run(desk, async (outbox) => {
    const content = entry && (await outbox.content(id));
    if (!content) return fullWords(desk.words).error['not-found'];
    desk.set({ question: { ask, entry, draft: await openDraft(content), problem: '' } });
    return undefined;
  });
}

function claim(desk: Desk, ids: readonly string[]): void | Promise<void> {
  if (desk.assignee) return bulk(desk, { do: 'claim', assignee: desk.assignee }, ids);
  const title = ids.length === 1 ? (desk.find(ids[0] ?? '')?.title ?? '') : selected(desk);
  desk.set({ question: { ask: 'claim', ids, title } });
}

function selected({ words, format, state }: Desk): string {
  return format.plural(fullWords(words).count.selected, state.picked.size);
}

/** One call for one or many: what could not be done is told beside what was. */
function bulk(desk: Desk, act: BulkAct, ids: readonly string[]): Promise<void> {
  return run(desk, async (outbox) => {
    const { said } = fullWords(desk.words);
    const { done, failed } = await outbox.dead.bulk(act, { ids });
    desk.set({ picked: new Set(failed.map(({ id }) => id).filter((id) => desk.state.picked.has(id))) });
    const first = failed[0];
    if (first) {
      const message = errorText(Object.assign(new Error(first.message), { code: first.code }), desk.words);
      desk.set({ error: desk.format.plural(said.bulkFailed, failed.length, { message }) });
    }
    return done > 0 ? desk.format.plural(act.do === 'replay' ? said.replayed : said.bulk, done) : desk.state.error;
  });
}

function saveExport(desk: Desk, ids?: readonly string[]): Promise<void> {
  return run(desk, async (outbox) => {
    const content = await (ids ? outbox.export({ ids }) : outbox.export());
    saveFile(`${outbox.name}-${new Date(desk.clock.now()).toISOString().slice(0, 10)}.json`, content);
    return fullWords(desk.words).said.exported;
  });
}

async function toggleContent(desk: Desk, id: string): Promise<void> {
  const words = fullWords(desk.words);
  const put = (what: Shown | null): void => {
    const shown = new Map(desk.state.shown);
    const before = shown.get(id);
    // A decoded picture holds megabytes outside of the heap until it is closed.
    if (before?.kind === 'ready' && before.body.kind === 'image') before.body.bitmap.close();
    if (what) shown.set(id, what);
    else shown.delete(id);
    desk.set({ shown });
  };
  if (desk.state.shown.has(id)) return put(null);
  put({ kind: 'loading' });
  try {
    const content = await desk.outbox?.content(id);
    if (!content) return put({ kind: 'failed', message: words.error['not-found'] ?? '' });
    const body = await previewOf(content.body);
    if (!desk.state.shown.has(id)) return;
    put({ kind: 'ready', content, body });
    say(desk, words.said.shown);
  } catch (error) {
    put({ kind: 'failed', message: errorText(error, words) });
  }
}
