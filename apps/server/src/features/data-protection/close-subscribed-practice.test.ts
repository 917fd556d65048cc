/** Tests that closing a practice ends its subscription at Stripe, also if Stripe's response to its start was lost. */
import { billingAccounts } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPriceList } from '../../testing/add-price-list.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { addPayingPractice, CARDS, type PayingPractice } from '../../testing/paying-practice.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
  await addPriceList(portal);
});
afterAll(() => portal.close());

const close = ({ admin, companyId }: PayingPractice) =>
  admin.post('/v2/practice/close', { company_id: companyId, confirm_with: 'Oakline Accounting' });

async function addPractice() {
  const practice = await addPayingPractice(portal);
  await practice.enterMethod(CARDS.pays);
  const [account] = await portal.deps.database.db.select().from(billingAccounts).where(eq(billingAccounts.companyId, practice.companyId));
  const listStatuses = () =>
    portal.stripe.records.subscriptions
      .list()
      .filter(({ document }) => document.customer === account?.providerCustomerId)
      .map(({ document }) => document.status);
  return { practice, listStatuses };
}

it('a practice’s subscription ends at Stripe when it is closed', async () => {
  const { practice, listStatuses } = await addPractice();
  expect((await practice.subscribe()).status).toBe(200);
  expect(listStatuses()).toEqual(['active']);
  expect((await close(practice)).status).toBe(200);
  await portal.runJobs();
  expect(listStatuses()).toEqual(['canceled']);
});

it('a practice can’t be closed while no one knows whether Stripe has started its subscription', async () => {
  const { practice, listStatuses } = await addPractice();
  portal.faults.set({ operation: 'stripe.create_subscription', kind: 'timeout_after_work', times: 1 });
  await practice.subscribe();
  expect(listStatuses()).toEqual(['active']);
  const { body } = await practice.admin.get('/v2/practice/closing', { company_id: practice.companyId });
  expect(body['blockers']).toMatchObject([{ kind: 'subscription' }]);
  expect((await close(practice)).status).toBe(409);
  await portal.runJobs();
  expect((await close(practice)).status).toBe(200);
  await portal.runJobs();
  expect(listStatuses()).toEqual(['canceled']);
});
