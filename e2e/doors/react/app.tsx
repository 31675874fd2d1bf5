import { useEntry, useOutbox, useSubmit } from 'holdfast/react';
import { useEffect, useState, type FormEvent } from 'react';
import { asWrite, loadNotes, newNote, words, type Note } from '../notes/notes';
import { outbox } from '../notes/outbox';

export function App() {
  const [notes, setNotes] = useState<readonly Note[]>([]);
  const [picked, pick] = useState<string>();
  const { counts } = useOutbox(outbox);
  const reload = async () => setNotes(await loadNotes());
  const { submissions, submit, dismiss } = useSubmit<Note>(outbox, { route: 'notes', onConfirmed: reload });
  useEffect(() => void reload().catch(() => undefined), []);

  function save(event: FormEvent<HTMLFormElement>) {
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
      <p role="status">{counts.pending + counts.sending} waiting</p>
      <ul>
        {notes.map(({ id, text }) => (
          <li key={id} data-state="confirmed">
            {text}
          </li>
        ))}
        {submissions
          .filter(({ meta }) => !notes.some(({ id }) => id === meta?.id))
          .map(({ key, state, meta, entry }) => (
            <li key={key} data-state={state}>
              {meta?.text} ({words[state]}){entry && <button onClick={() => pick(entry.id)}>Details</button>}
              {state === 'refused' && <button onClick={() => dismiss(key)}>Remove</button>}
            </li>
          ))}
      </ul>
      <Details id={picked} />
    </main>
  );
}

function Details({ id }: { readonly id: string | undefined }) {
  const entry = useEntry(outbox, id);
  return <output>{entry && `${entry.title}: ${entry.state}, tried ${entry.tries}×`}</output>;
}
