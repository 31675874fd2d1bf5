import type { Row } from './schema';

type Field = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Field>>;

const text: Field = (value) => typeof value === 'string';
const number: Field = (value) => typeof value === 'number' && value === value;
/** What a `Date` can show: ±100 million days around 1970 (ECMA-262, "Time Values and Time Range"). */
const moment: Field = (value) => typeof value === 'number' && Math.abs(value) <= 8.64e15;
const texts: Field = (value) => Array.isArray(value) && value.every(text);
const pairs: Field = (value) =>
  Array.isArray(value) && value.every((one) => texts(one) && (one as readonly string[]).length === 2);
const numbers: Field = (value) => isObject(value) && Object.values(value).every(number);
const maybe =
  (field: Field): Field =>
  (value) =>
    value === undefined || field(value);
const shaped =
  (shape: Shape): Field =>
  (value) =>
    isObject(value) && fits(shape, value);

const failure: Shape = { class: text, status: number, message: text, at: moment, problem: maybe(text) };
const answer = shaped({ status: number, headers: pairs, body: maybe(text), at: moment });

export const isMoment = (value: unknown): value is number => moment(value);
export const isPairs = (value: unknown): value is readonly (readonly [string, string])[] => pairs(value);
export const isSoundBody = (value: unknown): boolean => isObject(value) && fits(body, value);

/** Fields of their own only, so that nothing is looked at that is not there. */
const optional: Shape = {
  notBefore: number,
  expiresAt: moment,
  firstUnknownAt: number,
  firstFailure: shaped(failure),
  lastFailure: shaped(failure),
  askedUntil: number,
  parkedUntil: number,
  lastDelayMs: number,
  lease: shaped({ owner: text, token: number, until: number }),
  answer,
  finishedAt: moment,
  dead: shaped({
    reason: text,
    message: text,
    at: moment,
    triage: text,
    assignee: maybe(text),
    closedAt: maybe(moment),
    resolution: maybe(text),
  }),
  title: text,
  dependsOn: texts,
  waitsFor: texts,
  parents: (value) => isObject(value) && Object.values(value).every(answer),
  children: texts,
  supersedes: text,
  ifMatch: text,
};

const names = Object.keys(optional) as (keyof Row)[];
const attempt = shaped({ ...failure, tookMs: number });
const request: Shape = {
  headers: pairs,
  mode: text,
  credentials: text,
  cache: text,
  redirect: text,
  referrer: text,
  referrerPolicy: text,
  integrity: text,
};
const body: Shape = { type: text, digest: maybe(text), sealed: maybe(shaped({ size: number })) };

/** Whether everything below the surface of a row is what the code takes it for, and so is what need not be there. */
export function isSoundBelow(row: Partial<Row>): boolean {
  for (const name of names) if (row[name] !== undefined && !optional[name]?.(row[name])) return false;
  return (
    moment(row.createdAt) &&
    numbers(row.spent) &&
    (row.history ?? []).every(attempt) &&
    fits(request, row.request as object) &&
    fits(body, row.body as object)
  );
}

function fits(shape: Shape, value: object): boolean {
  for (const name in shape) if (!shape[name]?.((value as Record<string, unknown>)[name])) return false;
  return true;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
