/**
 * A door of the server through which many requests go in one call, each under its own key (`docs/wire.md`). Made by
 * `batchDoor` of `holdfast/batch`, so that only who uses one ships it.
 */
export interface BatchDoor {
  /** Path of the door, on the origin the requests go to. */
  readonly path: string;
  /** Most requests in one call; at least 2. */
  readonly maxRequests: number;
  /** How the flow sends through it: `Together` of `flow/door.ts`, whose types the core does not know. */
  readonly together: unknown;
}
