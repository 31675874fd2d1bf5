import type { Gates, Pause } from '../../core/control';
import { laneKeyOf } from '../../core/index-keys';
import { log, type Context } from '../context';
import { unparked } from '../lane';
import type { Ledger } from '../ledger';
import { act } from './find';

/** What to hold back: one route, one lane, or (neither given) everything. */
export interface PauseScope {
  readonly route?: string;
  readonly lane?: string;
}

export interface PauseOptions extends PauseScope {
  /** Epoch ms at which it ends by itself; without it, until `resume`. */
  readonly until?: number;
  /** Shown to people. */
  readonly why?: string;
}

/** Holds entries back; new writes queue meanwhile. What is under way is finished. */
export async function pause(context: Context, options: PauseOptions = {}): Promise<void> {
  const { until = null, why } = options;
  await act(context, async (ledger, subject) => {
    await setPause(ledger, subject, options, { until, ...(why !== undefined && { why }) });
  });
  log(context, { event: 'pause', route: options.route ?? options.lane ?? '*' });
}

/** Ends a pause of exactly this scope; with no scope it ends the general one. */
export async function resume(context: Context, options: PauseScope = {}): Promise<void> {
  await act(context, (ledger, subject) => setPause(ledger, subject, options, undefined));
  log(context, { event: 'resume', route: options.route ?? options.lane ?? '*' });
}

async function setPause(
  ledger: Ledger,
  subject: string,
  { route, lane }: PauseScope,
  pause: Pause | undefined,
): Promise<void> {
  const { gates } = ledger;
  if (route !== undefined) return ledger.setGates({ ...gates, routes: put(gates.routes, route, pause) });
  if (lane !== undefined) return setLanePause(ledger, laneKeyOf(subject, lane), pause);
  const { all: _, ...others } = gates;
  ledger.setGates(pause ? { ...others, all: pause } : others);
}

/** A paused lane's head is taken out of the scheduler's sight, so that many paused lanes cost it nothing. */
async function setLanePause(ledger: Ledger, laneKey: string, pause: Pause | undefined): Promise<void> {
  ledger.setGates({ ...ledger.gates, lanes: put(ledger.gates.lanes, laneKey, pause) });
  // Also when one pause takes another's place: the head is looked at anew, and parked until the right moment.
  const [first] = await ledger.rows.lane(laneKey, 1);
  if (first?.state === 'pending' && first.parkedUntil !== undefined) await ledger.update(first, unparked(first));
}

function put(pauses: Gates['lanes'], name: string, pause: Pause | undefined): Gates['lanes'] {
  const { [name]: _, ...others } = pauses;
  return pause ? { ...others, [name]: pause } : others;
}
