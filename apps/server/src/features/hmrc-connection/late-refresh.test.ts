/** Tests a token refresh that waits for HMRC's rate limit until its lease has ended. HMRC's refresh tokens work only once. */
import { hmrcConnections } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { openSlowInstance, type SlowInstance } from '../../testing/slow-instance.ts';
import { createConnectedTrader } from '../../testing/test-trader.ts';
import { withAccessToken } from './with-access-token.ts';

let portal: TestPortal;
let slow: SlowInstance;
beforeAll(async () => {
  portal = await openTestPortal();
  slow = await openSlowInstance(portal);
});
afterAll(async () => {
  await slow.close();
  await portal.close();
});

const update = (companyId: string, set: Partial<typeof hmrcConnections.$inferInsert>) =>
  portal.deps.database.db.update(hmrcConnections).set(set).where(eq(hmrcConnections.companyId, companyId));

it('is not sent once another instance has refreshed the token, and the connection is kept', async () => {
  const { companyId } = await createConnectedTrader(portal, 'late@trader.example', null);
  await update(companyId, { accessExpiresAt: portal.deps.clock.now() });
  const heldRefresh = slow.hold('beforeSlot');
  const lateCall = withAccessToken(slow.deps, companyId, (token) => Promise.resolve(token));
  await heldRefresh.reached;
  await update(companyId, { refreshLeaseUntil: addMilliseconds(portal.deps.wallClock.now(), -1) });
  const refreshedToken = await withAccessToken(portal.deps, companyId, (token) => Promise.resolve(token));
  heldRefresh.release();
  expect(await lateCall).toBe(refreshedToken);
  const [connection] = await portal.deps.database.db.select().from(hmrcConnections).where(eq(hmrcConnections.companyId, companyId));
  expect(connection).toMatchObject({ status: 'connected', refreshLeaseUntil: null });
});
