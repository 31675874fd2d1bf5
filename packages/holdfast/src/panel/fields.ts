import { run, type Desk } from './desk';
import { answer, editField } from './details-acts';
import { fullWords } from './full-words';
import { toggled } from './own-acts';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Something is being typed. */
export function fieldTyped(desk: Desk, { value, dataset }: Field): void {
  if (dataset['draft']) editField(desk, dataset['draft'], value);
  if (dataset['field'] === 'query') desk.set({ filter: { ...desk.state.filter, query: value } });
}

/** A choice was made. */
export function fieldChanged(desk: Desk, { value, dataset }: Field): void {
  const { filter, picked } = desk.state;
  const { field, id = '' } = dataset;
  if (field === 'route') desk.set({ filter: { ...filter, route: value || null } });
  if (field === 'pick') desk.set({ picked: toggled(picked, id) });
  if (field === 'urgency') void raise(desk, { ids: [id] }, value);
  if (field === 'urgencyOfAll' && filter.route !== null)
    void raise(desk, { route: filter.route, state: 'pending' }, value);
}

function raise(
  desk: Desk,
  which: { ids: string[] } | { route: string; state: 'pending' },
  urgency: string,
): Promise<void> {
  return run(desk, async (outbox) => {
    if (urgency === '') return undefined;
    await outbox.reprioritize(which, Number(urgency));
    return fullWords(desk.words).said.urgency;
  });
}

/** The dialog's form was sent; a field that has to be filled takes the focus instead. */
export function submitted(desk: Desk, form: HTMLFormElement, button: string): void {
  const field = form.querySelector<HTMLInputElement>('[name=answer]');
  const text = field?.value.trim() ?? '';
  if (field && !text) field.focus();
  else void answer(desk, text, button);
}
