import { describe, expect, it } from 'vitest';
import { budgetClasses, budgetLeft, budgetsFrom, defaultBudgets, defaultInProgress, hasBudget } from './budget';
import { coverage } from './plan';

const badOption = expect.objectContaining({ code: 'bad-option' }) as Error;

describe('budgetLeft', () => {
  it('counts each class of failure against its own budget', () => {
    const spent = { network: 3, overload: 5, server: 9 };
    expect(budgetLeft(spent, 'network')).toBe(5);
    expect(budgetLeft(spent, 'timeout')).toBe(8);
    expect(budgetLeft(spent, 'overload')).toBe(0);
    expect(budgetLeft(spent, 'server')).toBe(0);
    expect(budgetLeft({}, 'in-progress')).toBe(60);
  });

  it('goes by other budgets when a route has them, 0 included', () => {
    expect(budgetLeft({ server: 1 }, 'server', { ...defaultBudgets, server: 3 })).toBe(2);
    expect(budgetLeft({}, 'server', { ...defaultBudgets, server: 0 })).toBe(0);
  });

  it('has no end where nothing is counted: being offline, behind a portal, waiting for sign-in', () => {
    for (const kind of ['offline', 'captive', 'auth'] as const) {
      expect(budgetLeft({ [kind]: 1_000 }, kind)).toBe(Infinity);
      expect(hasBudget(kind)).toBe(false);
    }
    expect(budgetClasses.every(hasBudget)).toBe(true);
  });
});

describe('budgetsFrom', () => {
  it('lays the given over the defaults', () => {
    expect(budgetsFrom()).toEqual({ network: 8, timeout: 8, server: 6, overload: 5, 'in-progress': 60 });
    expect(budgetsFrom({ server: 0, network: Infinity })).toEqual({ ...defaultBudgets, server: 0, network: Infinity });
  });

  it.each([-1, 1.5, NaN])('refuses a budget of %s', (server) => {
    expect(() => budgetsFrom({ server })).toThrow(badOption);
    expect(() => budgetsFrom({ server })).toThrow(/budgets\.server.*whole number from 0/);
  });

  it('refuses a class that has none, naming those that do', () => {
    expect(() => budgetsFrom({ offline: 3 } as object)).toThrow(badOption);
    expect(() => budgetsFrom({ offline: 3 } as object)).toThrow(/budgets\.offline.*network, timeout/);
  });
});

describe('the default for a key in progress', () => {
  it('asks again soon and keeps asking for minutes', () => {
    const { minMs, longestWaitMs } = coverage({ backoff: defaultInProgress, retries: defaultBudgets['in-progress'] });
    expect(longestWaitMs).toBeLessThanOrEqual(10_000);
    expect(minMs).toBeGreaterThan(4 * 60_000);
  });
});
