import { useEntry, useOutbox, useSubmit } from 'holdfast/solid';
import { createSignal, For, onMount, Show } from 'solid-js';
import { asWrite, loadNotes, newNote, words, type Note } from '../notes/notes';
import { outbox } from '../notes/outbox';

export function App() {
  const [notes, setNotes] = createSignal<readonly Note[]>([]);
  const [picked, pick] = createSignal<string>();
  const snapshot = useOutbox(outbox);
  const entry = useEntry(outbox, picked);
  const reload = async () => setNotes(await loadNotes());
  const { submissions, submit, dismiss } = useSubmit<Note>(outbox, { route: 'notes', onConfirmed: reload });
  onMount(() => void reload().catch(() => undefined));

  const waiting = () => snapshot().counts.pending + snapshot().counts.sending;
  const underWay = () => submissions().filter(({ meta }) => !notes().some(({ id }) => id === meta?.id));
  const details = () => {
    const now = entry();
    return now ? `${now.title}: ${now.state}, tried ${now.tries}×` : '';
  };

  function save(event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) {
    event.preventDefault();
    const form = event.currentTarget;
    void submit('/api/notes', asWrite(newNote(new FormData(form).get('text') as string)));
    form.reset();
  }

  return (
    <main>
      <form onSubmit={save}>
        <input name="text" aria-label="Note" required />
        <button>Save</button>
      </form>
      <p role="status">{waiting()} waiting</p>
      <ul>
        <For each={notes()}>{(note) => <li data-state="confirmed">{note.text}</li>}</For>
        <For each={underWay()}>
          {({ key, state, meta, entry: kept }) => (
            <li data-state={state}>
              {meta?.text} ({words[state]})
              <Show when={kept}>{(one) => <button onClick={() => pick(one().id)}>Details</button>}</Show>
              <Show when={state === 'refused'}>
                <button onClick={() => dismiss(key)}>Remove</button>
              </Show>
            </li>
          )}
        </For>
      </ul>
      <output>{details()}</output>
    </main>
  );
}
