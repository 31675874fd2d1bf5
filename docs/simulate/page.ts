import { defaultBackoff, defaultBudgets, coverage } from '../../packages/holdfast/src/core/index.ts';
import { jitterName } from '../../packages/holdfast/src/testing/simulator/policies.ts';
import { defaultScenario } from '../../packages/holdfast/src/testing/simulator/scenario.ts';
import { type Comparisons, type Line, seeds } from './comparisons.ts';
import { enduranceTable, percent, policyTable, rankTable } from './tables.ts';

const seconds = (ms: number | null): string => `${Math.round((ms ?? NaN) / 1_000)} seconds`;
const number = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

/** `docs/simulation.md`: every figure in it comes from the runs. */
export function pageOf(all: Comparisons): string {
  const { clients, requestsPerClient, server } = defaultScenario;
  const [best] = all.ranks;
  if (!best || best.jitter !== defaultBackoff.jitter) {
    throw new Error(`the default jitter is no longer the best; ranked: ${JSON.stringify(all.ranks)}`);
  }
  const peak = (name: string): string => number.format(named(all.restart, name).figures.peak);
  const careful = all.ranks.filter(({ givenUp }) => givenUp === best.givenUp).length;
  const reconnected = named(all.reconnect, 'outbox, equal').figures;
  const waited = named(all.reconnect, 'exponential, equal').figures;
  const loop = named(all.restart, 'every second');
  const inStep = named(all.restart, 'exponential, no jitter');
  const ours = named(all.restart, 'outbox, equal');
  const [without, withBreaker] = all.bulk;
  const survives = coverage({ backoff: defaultBackoff, retries: defaultBudgets.server });

  return `# When ${number.format(clients)} clients come back

${number.format(clients)} browsers with an outbox lose their server at the same moment. When it is back, what they do next decides
whether it stays up. This page compares retry policies in that situation. It is how the default policy was chosen, and it
is written by a script, from figures that are the same on every machine.

\`\`\`sh
npx -y pnpm@12.4.2 simulate                                             # writes this page and its pictures
npx -y pnpm@12.4.2 simulate --clients 500 --outage 120 --capacity 20    # one scenario of your own, as a table
npx -y pnpm@12.4.2 simulate --help
\`\`\`

## With a policy and without

A gateway answers 502 for a minute. Each row is one policy, the shaded part is the outage, the dashed line is what the
warm server can do. The scale is of square roots, so that a crowd of a thousand and a trickle of ten are both to be seen.

![Arrivals a second for four policies. Every second: a wall of up to ${peak('every second')} a second, in the outage and after it. Every 5 seconds: spikes of up to ${peak('every 5 s')}. Exponential without jitter: few spikes of up to ${peak('exponential, no jitter')}, far apart. Outbox with equal jitter: spikes that flatten out during the outage, then a low even hill.](pictures/simulation-policies.svg)

- **A loop around \`fetch\`** sends ${number.format(loop.figures.wasted)} requests in vain to deliver ${number.format(loop.run.made)}. It is done soon only
  because this server turns people away almost for free; yours may not.
- **Doubling the waits without jitter** keeps everybody in step: ${number.format(inStep.figures.peak)} come within one second, nearly all are turned away,
  all of them wait twice as long, and come together again. The last is delivered after ${number.format((inStep.figures.lastMs ?? 0) / 60_000)} minutes.
- **The outbox as it comes** peaks at ${number.format(ours.figures.peak)} a second where the server can do ${server.perSecond}, wastes ${number.format(ours.figures.wastedAfter)} requests after
  the outage, and nearly everything is delivered within ${number.format((ours.figures.drainMs ?? 0) / 1_000)} seconds.

## Which jitter

![Arrivals a second for six kinds of jitter. No jitter: spikes of up to ${peak('outbox, no jitter')}; 500 ms more: up to ${peak('outbox, +500 ms')}. Full (${peak('outbox, full')}), equal (${peak('outbox, equal')}) and decorrelated (${peak('outbox, decorrelated')}): evenly low, full with the latest stragglers. Plus or minus 20 percent: separate hills of up to ${peak('outbox, ±20 %')}.](pictures/simulation-jitters.svg)

![Requests that wait, over time. Without jitter more than half still wait after five minutes. Full and decorrelated fall first and have long tails; equal falls later and steeply; plus or minus 20 percent falls in two steps.](pictures/simulation-waiting.svg)

The rule by which the default is chosen:

1. **It gives up least** in an outage of a minute with the default budgets. The waits of six retries without jitter cover 2
   minutes and 6 seconds; whoever gives up within one has let chance use up the budget.
2. **Then it costs least.** Peak/mean ratio, time to drain and requests wasted are each divided by those of the best kind; the cost is the
   geometric mean over the three outages below and ${seeds.length} seeds. 1 would be the best of all in everything. Budgets are unlimited in
   these runs, so that nobody looks gentle because it stopped trying.

${rankTable(all.ranks)}

So the default is **\`${jitterName(best.jitter)}\`**: half of each wait is certain, the other half is chance. It has the lowest cost, and is one of ${careful} kinds
that give up nothing. \`full\` and \`decorrelated\` flatten the crowd as well, but a draw near the shortest wait spends a retry on a server that was
asked a moment ago, and a budget of six is soon spent that way. A test ranks them anew and fails when the default is no longer the
first. The decision is in [decisions/default-jitter.md](decisions/default-jitter.md).

## The figures

*Peaks* are arrivals in the busiest second. *Peak/mean* is that of the recovery, which lasts until 19 of 20 are delivered; times count
from the server's return. *Wasted* are attempts that delivered nothing. *Exponential* is doubling waits and nothing
else; *outbox* adds what this outbox does besides: a breaker for the origin, a verdict on connectivity, \`Retry-After\`. Each row is one run with the same seed.

### Restart: 502 for a minute

${policyTable(all.restart)}

### Overload: 503 for five minutes

${policyTable(all.overload)}

### Reconnect: five minutes without a network, then \`online\` everywhere within two seconds

${policyTable(all.reconnect)}

Being offline costs the outbox no retries, so its waits do not grow, and the news that the network is back brings one probe from every
browser at once: ${number.format(clients)} within two seconds, whatever the jitter. That is the price of sending at once when *one* browser comes
back. All is done after ${seconds(reconnected.lastMs)}; those who know only their waits (*exponential, equal*) need ${seconds(waited.lastMs)}. Attempts in the
outage itself never leave the device.

### Breaker off and on: 200 clients with ten unordered writes each, 502 for five minutes

${policyTable(all.bulk)}

In a lane only the head knocks, so the breaker changes little above. Where writes are unordered each would knock for itself: with the breaker
one probe speaks for all, and ${percent(1 - (withBreaker?.figures.wasted ?? 0) / (without?.figures.wasted ?? 1))} of the wasted requests are saved.

## What the default budgets survive

What the outbox as it comes gives up, by the length of the outage. Given up means: in the dead-letter list, with its payload and
the reason, to be sent again by a click.

${enduranceTable(all.endurance)}

Being offline gives nothing up, however long. A server that answers with errors does, and soon. The budget of ${defaultBudgets.server} for errors of
the server means: *${survives.sentence}* For 503 it is ${defaultBudgets.overload}. By then each client has given up
the head of its lane, which did the probing; what stands behind it takes over, at the breaker's slower pace. If your outages are longer, say so:
\`planRetries({ coverMs: 600_000, maxDelayMs: 300_000 })\` turns ten minutes into a backoff and a number of retries for \`retry.budgets\`.

## What is simulated

Clients decide with the very functions the outbox uses (\`backoffMs\`, \`settlement\`, \`classify\`, \`afterOutcome\`, \`mayGo\`, \`afterAttempt\`, \`pick\`,
\`afterRecovery\`, \`askedWaitMs\`); only store, lock and network are left out. There is no clock and no timer: events happen in the
order of their moments, dice start from a seed, and the same seed gives the same run to the last request.

- **Clients**: ${number.format(clients)}, with ${requestsPerClient} writes each. The first fails when the outage begins, all within a second; the others are spread over the
  outage. Writes of a client are ordered, one lane each. A round trip takes ${defaultScenario.roundTripMs} ms, give or take half.
- **Server**: ${server.perSecond} requests a second when warm, a line of ${server.queue}, more are turned away with 503. It comes back with ${percent(server.coldShare).replace('.0', '')} of its capacity and
  is warm after ${server.warmUpMs / 1_000} seconds. Turning one away costs ${percent(server.turnAwayShare).replace('.0', '')} of serving it. What it has done is answered again without doing it.

What is left out: people who press "send now", fresh writes after the outage, servers whose collapse spreads to others, and clients that
learn of the outage at different moments. All but the last make crowds worse.

## Your own

\`\`\`ts
import { figuresOf, outbox, seriesOf, simulate } from 'holdfast/testing';

const run = simulate(
  { clients: 5_000, outageMs: 300_000, outage: { kind: 'answers', status: 503, retryAfterMs: 60_000 }, server: { perSecond: 200 } },
  outbox('full'),
);
figuresOf(run); // peak, peakToMean, drainMs, wasted, deadShare …
seriesOf(run, 5); // [{ atMs, arrivals, deliveries, waiting }, …], one point for five seconds, for a chart
\`\`\`
`;
}

function named(lines: readonly Line[], name: string): Line {
  const line = lines.find(({ policy }) => policy.name === name);
  if (!line) throw new Error(`no policy is called "${name}"`);
  return line;
}
