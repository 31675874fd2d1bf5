import { defineOutbox } from 'holdfast';
import { readSubject } from './subject';

/** What all routes share. The API speaks JSON only: a web page in its place is somebody else's. */
const shared = { expects: 'json', keyRetentionMs: 7 * 86_400_000 } as const;

/**
 * The one config of this app's outbox, for page and worker alike. What no route names (reads, and everything about the
 * session) is never touched.
 *
 * A record and all that belongs to it share a lane: a photo never arrives before its record, and an edit never before
 * what it edits. Ids are made on the device, so later writes can name a record the server has not seen yet.
 */
export const config = defineOutbox({
  name: 'round',
  routes: [
    {
      ...shared,
      name: 'records',
      match: '/api/notes/:id',
      methods: ['PUT', 'DELETE'],
      lane: 'note-:id',
      capture: 'write-ahead',
      // What follows a refused record (its photos, its edits) would be refused too: it waits until a person has looked.
      laneOnDead: 'hold-lane',
      timeoutMs: 10_000,
      title: ({ method }) => (method === 'DELETE' ? 'Delete record' : 'Save record'),
      meta: ({ params }) => ({ noteId: params.id ?? '' }),
    },
    {
      ...shared,
      name: 'photos',
      match: '/api/notes/:id/photos',
      methods: ['POST'],
      lane: 'note-:id',
      capture: 'write-ahead',
      // Records of other sites go first.
      priority: 5,
      timeoutMs: 20_000,
      title: () => 'Upload photo',
      meta: ({ params, search }) => ({ noteId: params.id ?? '', photoId: new URLSearchParams(search).get('id') ?? '' }),
    },
    {
      ...shared,
      name: 'photo-removals',
      match: '/api/notes/:id/photos/:photo',
      methods: ['DELETE'],
      lane: 'note-:id',
      capture: 'write-ahead',
      timeoutMs: 10_000,
      title: () => 'Remove photo',
      meta: ({ params }) => ({ noteId: params.id ?? '', photoId: params.photo ?? '' }),
    },
    { ...shared, name: 'new-records', match: '/api/notes', methods: ['POST'], lane: null },
  ],
  subject: readSubject,
  // A session may have been renewed in another tab. If not, what waits goes on waiting until somebody signs in.
  refresh: async () => {
    const answer = await fetch('/api/session');
    const { user } = (await answer.json()) as { readonly user: unknown };
    return user !== null;
  },
});
