import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query';
import { useSubmit } from 'holdfast/react';
import type { FormEvent } from 'react';
import { asWrite, loadNotes, newNote, words, type Note } from '../notes/notes';
import { outbox } from '../notes/outbox';
import { queryClient } from './queries';

function useNotes() {
  const { data: notes = [] } = useQuery({ queryKey: ['notes'], queryFn: loadNotes });
  const { submissions, submit } = useSubmit<Note>(outbox, {
    route: 'notes',
    onConfirmed: () => queryClient.invalidateQueries({ queryKey: ['notes'] }),
  });
  const save = useMutation({
    mutationFn: async (note: Note) => {
      const { state, response, error } = await submit('/api/notes', asWrite(note));
      if (state === 'failed') throw error;
      if (state === 'refused') throw new Error(`The server refused it (${response?.status}).`);
      return state;
    },
  });
  const underWay = submissions.filter(({ meta }) => !notes.some(({ id }) => id === meta?.id));
  return { notes, underWay, save };
}

function Notes() {
  const { notes, underWay, save } = useNotes();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    save.mutate(newNote(new FormData(event.currentTarget).get('text') as string));
    event.currentTarget.reset();
  }

  return (
    <main>
      <form onSubmit={submit}>
        <input name="text" aria-label="Note" />
        <button>Save</button>
        <output>{save.isError ? save.error.message : save.data && words[save.data]}</output>
      </form>
      <ul>
        {notes.map(({ id, text }) => (
          <li key={id} data-state="confirmed">
            {text}
          </li>
        ))}
        {underWay.map(({ key, state, meta }) => (
          <li key={key} data-state={state}>
            {meta?.text} ({words[state]})
          </li>
        ))}
      </ul>
      <Total />
    </main>
  );
}

/** Knows nothing of the outbox. */
function Total() {
  const { data } = useQuery({ queryKey: ['total'], queryFn: async () => (await loadNotes()).length });
  return <p>{data} in all</p>;
}

export const App = () => (
  <QueryClientProvider client={queryClient}>
    <Notes />
  </QueryClientProvider>
);
