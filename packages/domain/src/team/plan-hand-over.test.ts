import { describe, expect, it } from 'vitest';
import type { Duty } from '../clients/client.ts';
import { planHandOver, type HeldDuty } from './plan-hand-over.ts';

const hold = (duty: Duty, count: number): HeldDuty[] =>
  Array.from({ length: count }, (_requestId, index) => ({ clientId: `c${index}`, duty }));
const countBySuccessor = (plan: readonly { toId: string | null }[]) =>
  plan.reduce<Record<string, number>>((counts, { toId }) => ({ ...counts, [String(toId)]: (counts[String(toId)] ?? 0) + 1 }), {});

describe('planHandOver', () => {
  it('gives a duty to its successor, or leaves it open', () => {
    const plan = planHandOver('me', [...hold('manager', 2), ...hold('vat', 1)], { successors: { manager: 'ann', vat: null } });
    expect(plan.map(({ toId }) => toId)).toEqual(['ann', 'ann', null]);
  });

  it('gives chosen clients to someone else, or to no one', () => {
    const exceptions = [
      { clientId: 'c1', duty: 'manager' as const, toId: 'bob' },
      { clientId: 'c2', duty: 'manager' as const, toId: null },
    ];
    const plan = planHandOver('me', hold('manager', 4), { successors: { manager: 'ann' }, exceptions });
    expect(plan.map(({ toId }) => toId)).toEqual(['ann', 'bob', null, 'ann']);
  });

  it.each([
    [1, 3],
    [4, 3],
    [5, 3],
    [10, 4],
    [999, 7],
  ])('shares %d clients evenly between %d people, by each duty', (clients, people) => {
    const ids = Array.from({ length: people }, (_requestId, index) => `p${index}`);
    const heldDuties = [...hold('manager', clients), ...hold('vat', clients)];
    const plan = planHandOver('me', heldDuties, { successors: {}, shared: { manager: ids, vat: ids } });
    for (const duty of ['manager', 'vat']) {
      const counts = Object.values(countBySuccessor(plan.filter((one) => one.duty === duty)));
      expect(Math.max(...counts) - (counts.length < people ? 0 : Math.min(...counts))).toBeLessThanOrEqual(1);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(clients);
    }
    // A client gets one new colleague, not two.
    for (const { clientId } of heldDuties)
      expect(new Set(plan.filter((one) => one.clientId === clientId).map(({ toId }) => toId)).size).toBe(1);
    expect(planHandOver('me', heldDuties, { successors: {}, shared: { manager: ids, vat: ids } })).toEqual(plan);
  });

  it('shares the rest evenly after exceptions', () => {
    const exceptions = [0, 1, 2].map((index) => ({ clientId: `c${index}`, duty: 'manager' as const, toId: 'ann' }));
    const plan = planHandOver('me', hold('manager', 9), { successors: {}, shared: { manager: ['ann', 'bob'] }, exceptions });
    expect(countBySuccessor(plan)).toEqual({ ann: 6, bob: 3 });
  });

  it('ignores exceptions for clients that the leaver no longer has', () => {
    const lostException = { clientId: 'c9', duty: 'vat' as const, toId: 'bob' };
    const keptException = { clientId: 'c1', duty: 'vat' as const, toId: 'bob' };
    const plan = planHandOver('me', hold('vat', 2), { successors: { vat: 'ann' }, exceptions: [lostException, keptException] });
    expect(plan).toEqual([{ clientId: 'c0', duty: 'vat', toId: 'ann' }, keptException]);
  });

  it('reads each client a few times only, however many exceptions there are', () => {
    let reads = 0;
    const heldDuties = hold('manager', 4_000).map(({ clientId, duty }) => ({
      duty,
      get clientId() {
        reads += 1;
        return clientId;
      },
    }));
    const exceptions = hold('manager', 4_000)
      .slice(-1_000)
      .map((one) => ({ ...one, toId: 'bob' }));
    planHandOver('me', heldDuties, { successors: {}, shared: { manager: ['ann', 'bob'] }, exceptions });
    expect(reads / heldDuties.length).toBeLessThan(10);
  });

  it('rejects a duty without a choice or with two, and the leaver', () => {
    const heldDuties = hold('vat', 2);
    expect(() => planHandOver('me', heldDuties, { successors: { manager: 'ann' } })).toThrow('vat');
    expect(() => planHandOver('me', heldDuties, { successors: { vat: null }, shared: { vat: ['a', 'b'] } })).toThrow(
      'Choose one successor',
    );
    expect(() => planHandOver('me', heldDuties, { successors: { vat: 'me' } })).toThrow('someone else');
    expect(() => planHandOver('me', heldDuties, { successors: {}, shared: { vat: ['ann', 'me'] } })).toThrow('someone else');
    const dutyToLeaver = { clientId: 'c0', duty: 'vat' as const, toId: 'me' };
    expect(() => planHandOver('me', heldDuties, { successors: { vat: 'ann' }, exceptions: [dutyToLeaver] })).toThrow('someone else');
  });
});
