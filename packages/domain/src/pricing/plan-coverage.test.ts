import { describe, expect, it } from 'vitest';
import { pence, ZERO } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { countCovered, getTrialEnd, type PlanFacts } from './plan-coverage.ts';

const list: PlanFacts['list'] = {
  tiers: [
    { name: 'Free', from: 0, to: 10, basePence: ZERO, unitPence: ZERO, included: 10 },
    { name: 'Practice', from: 11, to: null, basePence: pence(2_000), unitPence: pence(100), included: 10 },
  ],
};
const trialEndsOn = plainDate('2027-03-01');
const [lastDay, firstDay] = [plainDate('2027-02-28'), trialEndsOn];

describe('the connections that a plan covers', () => {
  it('are all until the trial has ended, and then those of the free tier', () => {
    expect(countCovered({ trialEndsOn, subscription: null, list }, lastDay)).toBeNull();
    expect(countCovered({ trialEndsOn, subscription: null, list }, firstDay)).toBe(10);
  });

  it('are those that a subscription pays for, also while a payment is overdue', () => {
    for (const status of ['active', 'past_due'] as const)
      expect(countCovered({ trialEndsOn, subscription: { status, connections: 250 }, list }, firstDay)).toBe(250);
  });

  it('aren’t those of an order that Stripe hasn’t confirmed, nor fewer than the free tier has', () => {
    for (const status of ['starting', 'incomplete', 'ended'] as const)
      expect(countCovered({ trialEndsOn, subscription: { status, connections: 250 }, list }, firstDay)).toBe(10);
    expect(countCovered({ trialEndsOn, subscription: { status: 'active', connections: 3 }, list }, firstDay)).toBe(10);
  });

  it('are all for a practice without a limit, and where no prices are published', () => {
    expect(countCovered({ trialEndsOn: null, subscription: null, list }, firstDay)).toBeNull();
    expect(countCovered({ trialEndsOn, subscription: null, list: null }, firstDay)).toBeNull();
  });

  it('change 90 days after the practice was created', () => {
    expect(getTrialEnd(plainDate('2026-12-01'))).toBe('2027-03-01');
  });
});
