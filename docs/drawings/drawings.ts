import { advance, canMove, type Move } from '../../packages/holdfast/src/core/lifecycle.ts';
import type { State } from '../../packages/holdfast/src/core/entry.ts';
import { drawn, inks } from './graphviz.ts';

const { good, bad, box } = inks;

/** One request from the app's `fetch` to its end. */
const walk = `
  app [label="your app: fetch(…)"]
  live [label="first attempt, with its key"]
  page [label="your app\\ngets the answer" color="${good}"]
  disk [label="kept on the device\\n(IndexedDB, durability strict)"]
  told [label="your app gets\\n202 and an id"]
  wait [label="waits: backoff, lane, pause, sign-in …"]
  send [label="sent again, same key, same bytes"]
  done [label="delivered:\\nsettled(id) resolves" color="${good}"]
  dead [label="dead letter:\\na person decides" color="${bad}"]
  app -> live
  live -> page [label=" an answer"]
  live -> disk [label=" no answer, 5xx, 429,\\n captive portal"]
  disk -> told
  disk -> wait
  wait -> send
  send -> wait [label=" try later"]
  send -> done [label=" done"]
  send -> dead [label=" refused for good,\\n out of tries, expired"]
  dead -> wait [label=" replay" style=dashed]`;

const who = `
  rankdir=LR nodesep=0.35 ranksep=1.1
  one [label="tab 1\\nopenOutbox"]
  two [label="tab 2\\nopenOutbox"]
  sync [label="Background Sync\\n(where there is one)" style="rounded,dashed"]
  worker [label="service worker\\ninstallOutbox\\nthe only sender"]
  store [label="IndexedDB\\nentries, leases:\\nthe truth" shape=cylinder style=filled margin="0.25,0.15"]
  api [label="your API" color="${good}"]
  one -> worker [label="wake"]
  worker -> one [label="look again" style=dashed constraint=false]
  two -> worker [label="wake"]
  worker -> two [label="look again" style=dashed constraint=false]
  sync -> worker [style=dashed label="hint"]
  worker -> store [label="claim, settle" dir=both]
  worker -> api [label="under a lock\\nand a lease"]`;

const answers = `
  came [label="did an answer come?"]
  reach [label="does anything reach a server?"]
  real [label="is it the API's own answer?"]
  kind [label="which status?"]
  offline [label="offline, captive:\\ntry later,\\ncosts nothing"]
  counted [label="network, timeout:\\ntry later,\\ncounted"]
  done [label="delivered" color="${good}"]
  later [label="server: try later, counted\\noverload: the origin rests"]
  person [label="rejected, conflict:\\ndead letter, for a person" color="${bad}"]
  sign [label="auth:\\nwaits for\\nsign-in"]
  came -> reach [label=" no"]
  came -> real [label=" yes"]
  reach -> counted [label=" yes"]
  reach -> offline [label=" no"]
  real -> offline [label=" no: HTML for JSON, 511"]
  real -> kind [label=" yes"]
  kind -> done [label=" 2xx"]
  kind -> later [label=" 408 425\\n 429 5xx"]
  kind -> sign [label=" 401"]
  kind -> person [label=" other 4xx"]`;

const moves: readonly Move[] = ['claim', 'release', 'deliver', 'refuse', 'expire', 'cancel', 'replay'];
const states: readonly State[] = ['pending', 'sending', 'delivered', 'dead'];
const colours: Partial<Record<State, string>> = { delivered: good, dead: bad };

/** The table of the code itself, drawn: this picture cannot say anything else than what happens. */
function life(): string {
  const edges = states.flatMap((from) =>
    states.flatMap((to) => {
      const names = moves.filter((move) => canMove(from, move) && advance(from, move as never) === to);
      return names.length > 0 ? [`${from} -> ${to} [label="${names.join('\\n')}"]`] : [];
    }),
  );
  const nodes = states.map((state) => `${state} [color="${colours[state] ?? inks.quiet}" fillcolor="${box}"]`);
  return `rankdir=LR ranksep=1 start [shape=point color="${inks.quiet}" fillcolor="${inks.quiet}"] start -> pending\n${[...nodes, ...edges].join('\n')}`;
}

/** All drawings of the docs, by file name. */
export async function drawings(): Promise<Readonly<Record<string, string>>> {
  return {
    'request-walk.svg': await drawn(walk, 'The way of one request from the app to its end'),
    'request-life.svg': await drawn(life(), 'The states of a stored request and the moves between them'),
    'who-sends.svg': await drawn(who, 'Tabs wake the service worker, which alone sends'),
    'answers.svg': await drawn(answers, 'How an attempt is judged'),
  };
}
