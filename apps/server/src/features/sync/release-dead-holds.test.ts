import { clientSyncs, hmrcConnections } from '@portal/db/schema/schema.ts';
import { clockFrom } from '@portal/domain/clock.ts';
import { eq } from 'drizzle-orm';
import { expect, it, onTestFinished } from 'vitest';
import { oaklinePractice } from '../../testing/oakline-practice.ts';
import { openTestPortal } from '../../testing/open-test-portal.ts';
import { syncByHand } from '../../testing/sync-by-hand.ts';
import { releaseDeadHolds } from './release-dead-holds.ts';
import { claimQueued } from './sync-queue.ts';

it('a start on the embedded database takes over at once what a dead process held, on PostgreSQL nothing that another may hold', async () => {
  const portal = await openTestPortal();
  onTestFinished(() => portal.close());
  const hand = syncByHand(portal);
  const practice = await oaklinePractice(portal, { passes: ({ situation }) => situation === 'overdue_payment' });
  const { db } = portal.deps.database;
  const runId = await hand.begin(practice);
  await claimQueued(db, { companyId: practice.companyId, runId, tax: 'vat' }, portal.deps.wallClock.now());
  await db.update(hmrcConnections).set({ refreshLeaseUntil: clockFrom(() => Date.now() + 30_000).now() });
  const grantIsHeld = async () => (await db.select().from(hmrcConnections))[0]?.refreshLeaseUntil !== null;
  await releaseDeadHolds({ kind: 'postgres', db });
  expect([await hand.statesOf(practice), await grantIsHeld()]).toEqual([['importing'], true]);
  await releaseDeadHolds({ kind: 'embedded', db });
  expect([await hand.statesOf(practice), await grantIsHeld()]).toEqual([['checking'], false]);
  await hand.work(practice, runId);
  const [row] = await db.select().from(clientSyncs).where(eq(clientSyncs.runId, runId));
  expect(row).toMatchObject({ state: 'completed', attempts: 2 });
});
