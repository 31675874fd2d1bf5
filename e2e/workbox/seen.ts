/** What a probe saw, in JSON: the same probe runs over both libraries, and what they show is compared. */
export type Seen = null | boolean | number | string | readonly Seen[] | { readonly [name: string]: Seen };
