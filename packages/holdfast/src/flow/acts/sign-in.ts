import type { Context } from '../context';
import { act } from './find';

/** The present subject has good credentials again: what waits for them may go. */
export async function signedIn(context: Context): Promise<void> {
  await act(context, (ledger, who) => {
    const { [who]: _, ...others } = ledger.gates.signIn;
    return Promise.resolve(ledger.setGates({ ...ledger.gates, signIn: others }));
  });
}
