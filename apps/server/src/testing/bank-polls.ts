/** Runs the jobs that read the payments provider's record, as if they were due. */
import type { TestPortal } from './open-test-portal.ts';
import { runTick } from './short-refund.ts';

/** Reads the whole record since the last read: returned payouts, payments without an order, and money on our own account. */
export const readBank = (portal: TestPortal): Promise<void> => runTick(portal, 'returns.poll');

/** Reads the result of each payout that has none yet. */
export const pollPayouts = (portal: TestPortal): Promise<void> => runTick(portal, 'payouts.poll');

/** Reads the movements of collection accounts. */
export const pollCredits = (portal: TestPortal): Promise<void> => runTick(portal, 'credits.poll');
