import { MutationObserver, QueryClient } from '@tanstack/query-core';
import axios from 'axios';
import ky from 'ky';
import { createFetch } from 'ofetch';

type Fetch = typeof fetch;

/** One write by each library as its users would make it, given a `fetch`. */
export interface Library {
  /** @returns the answer's JSON and its status */
  write(through: Fetch, url: string, data: object): Promise<{ readonly status: number; readonly data: unknown }>;
  /** The library's own name for "the server said no". */
  readonly refusal: string;
}

export const libraries: Readonly<Record<string, Library>> = {
  ky: {
    refusal: 'HTTPError',
    async write(through, url, data) {
      const response = await ky.post(url, { json: data, fetch: through, retry: 0 });
      return { status: response.status, data: await response.json() };
    },
  },
  ofetch: {
    refusal: 'FetchError',
    async write(through, url, data) {
      const send = createFetch({ fetch: through, Headers, AbortController });
      const response = await send.raw(url, { method: 'POST', body: data, retry: 0 });
      return { status: response.status, data: response._data as unknown };
    },
  },
  axios: {
    refusal: 'AxiosError',
    async write(through, url, data) {
      const client = axios.create({ adapter: 'fetch', env: { fetch: through } });
      const response = await client.post<unknown>(url, data);
      return { status: response.status, data: response.data };
    },
  },
  'TanStack Query': {
    refusal: 'Refused',
    async write(through, url, data) {
      const mutation = new MutationObserver(new QueryClient(), {
        // Offline it would wait by itself: with an outbox behind its fetch it need not.
        networkMode: 'always',
        retry: false,
        async mutationFn(body: object) {
          const headers = { 'content-type': 'application/json' };
          const response = await through(url, { method: 'POST', headers, body: JSON.stringify(body) });
          if (!response.ok) throw Object.assign(new Error(String(response.status)), { name: 'Refused' });
          return { status: response.status, data: (await response.json()) as unknown };
        },
      });
      return mutation.mutate(data);
    },
  },
};
