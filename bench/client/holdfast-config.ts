import { defineOutbox } from 'holdfast';

/** One config for page and worker, from what the job asks for. The limits leave room for the full store. */
export function configFrom(options: URLSearchParams) {
  const lane = options.get('lane');
  return defineOutbox({
    name: 'bench',
    durability: options.get('durability') === 'relaxed' ? 'relaxed' : 'strict',
    concurrency: Number(options.get('concurrency') ?? 3),
    limits: { entries: 1_000_000 },
    routes: [{ name: 'notes', match: '/api/*', ...(lane === 'none' && { lane: null }) }],
  });
}
