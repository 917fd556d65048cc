/** A trader who holds returns back and sells several refunds at once stays below the limit of each. Together they need a person. */
import { toInstant } from '@portal/domain/clock.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptRefund, fileBacklog } from '../../testing/file-backlog.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { confirmCollection, findAdvance } from '../../testing/take-advance.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

it('refunds of a company that HMRC hasn’t repaid are paid by the rules up to £25,000 in total', async () => {
  const filedAt = toInstant(Date.parse('2027-11-03T09:00:00Z'));
  const { trader, returns } = await fileBacklog(portal, 'backlog@split.example', [7_000], filedAt);
  const states: string[] = [];
  for (const obligation of returns) {
    await acceptRefund(portal, trader, obligation);
    await confirmCollection(portal, trader);
    states.push((await findAdvance(trader)).state);
  }
  expect(states.map((state) => state === 'in_review')).toEqual([false, false, false, true, true]);
  const { rules } = await findAdvance(trader);
  expect(rules.filter(({ outcome }) => outcome !== 'pass')).toMatchObject([
    { rule: 'amount_reviewed', outcome: 'review', finding: expect.stringContaining('HMRC would owe us £35,000.00 for this company') },
  ]);
});
