/** The scheduled reads from the bank, as an instance runs them. */
import { jobHandlers } from '../../../apps/server/src/job-handlers.ts';
import type { ModelInstance } from './model-test-bed.ts';

export const POLLS = [
  'payouts.poll',
  'returns.poll',
  'credits.poll',
  'advances.sweep',
  'direct-debits.poll',
  'direct-debit-payouts.poll',
  'shortfalls.sweep',
] as const;
const POLL_RUN = { id: 'poll', attempt: 1, isLastAttempt: false, lostRuns: 0, signal: new AbortController().signal };

/** Runs a scheduled read. It may fail while a provider is failing; the schedule will run it again. */
export async function poll(instance: ModelInstance, kind: (typeof POLLS)[number]): Promise<string> {
  try {
    await jobHandlers(instance.deps)[kind]({}, POLL_RUN);
    return kind;
  } catch (error) {
    return `${kind} failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

export async function pollAll(instance: ModelInstance): Promise<void> {
  for (const kind of POLLS) await poll(instance, kind);
}
