import { QueryClient } from '@tanstack/react-query';
import { outbox } from '../notes/outbox';

export const queryClient = new QueryClient({
  // A paused mutation is gone after a reload. Let every write through: what cannot be sent, the outbox keeps.
  defaultOptions: { mutations: { networkMode: 'always' } },
});

// Nothing waits any more, whoever sent it: what was fetched before may be old.
outbox?.on(({ type }) => {
  if (type === 'drained') void queryClient.invalidateQueries();
});
