/** Runs the jobs that read the payments provider's record, as if they were due. */
import { jobHandlers } from '../job-handlers.ts';
import type { TestPortal } from './open-test-portal.ts';

const RUN = { id: 'poll', attempt: 1, isLastAttempt: false, lostRuns: 0, signal: new AbortController().signal };

/** Reads the whole record since the last read: returned payouts, payments without an order, and money on our own account. */
export const readBank = ({ deps }: TestPortal): Promise<void> => jobHandlers(deps)['returns.poll']({}, RUN);

/** Reads the result of each payout that has none yet. */
export const pollPayouts = ({ deps }: TestPortal): Promise<void> => jobHandlers(deps)['payouts.poll']({}, RUN);
