import type { AnswerClass } from './answer-class';
import type { Backoff } from './backoff';
import { OutboxError } from './errors';

/** The classes of failure that have a budget. All others are final or, like being offline, cost nothing. */
export type BudgetClass = 'network' | 'timeout' | 'server' | 'overload' | 'in-progress';

/** How often an entry is sent again after failures of one class; 0 is never. */
export interface Budgets {
  /** @default 8 */
  readonly network: number;
  /** @default 8 */
  readonly timeout: number;
  /** @default 6 */
  readonly server: number;
  /** @default 5 */
  readonly overload: number;
  /** Generous: the work is being done, only the answer is awaited. About eight minutes with `defaultInProgress`. @default 60 */
  readonly 'in-progress': number;
}

export const defaultBudgets: Budgets = { network: 8, timeout: 8, server: 6, overload: 5, 'in-progress': 60 };

/** Waits while the same key is being worked on: sooner and flatter than after a failure. */
export const defaultInProgress: Backoff = { baseMs: 1_000, factor: 1.5, capMs: 10_000, jitter: 'equal' };

export const budgetClasses: readonly BudgetClass[] = ['network', 'timeout', 'server', 'overload', 'in-progress'];

/** Whether failures of a class use up a budget at all. */
export function hasBudget(kind: AnswerClass): kind is BudgetClass {
  return (budgetClasses as readonly AnswerClass[]).includes(kind);
}

/**
 * How many more times an entry may be sent again after failures of this class.
 * @param spent counted failures so far, per class
 * @returns     a whole number from 0, or Infinity for a class without a budget
 */
export function budgetLeft(
  spent: Readonly<Partial<Record<AnswerClass, number>>>,
  kind: AnswerClass,
  budgets = defaultBudgets,
): number {
  if (!hasBudget(kind)) return Infinity;
  return Math.max(0, budgets[kind] - (spent[kind] ?? 0));
}

/** The given budgets over the defaults. @throws OutboxError `bad-option` when one is not a whole number from 0, or Infinity */
export function budgetsFrom(given: Partial<Budgets> = {}): Budgets {
  for (const [kind, budget] of Object.entries(given)) {
    if (!budgetClasses.some((known) => known === kind)) {
      throw new OutboxError('bad-option', `budgets.${kind} is no class with a budget; use ${budgetClasses.join(', ')}`);
    }
    if (!((Number.isInteger(budget) && budget >= 0) || budget === Infinity)) {
      throw new OutboxError('bad-option', `budgets.${kind} must be a whole number from 0 or Infinity, got ${budget}`);
    }
  }
  return { ...defaultBudgets, ...given };
}
