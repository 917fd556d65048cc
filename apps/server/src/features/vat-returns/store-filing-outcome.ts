/**
 * Stores HMRC's response to a filing and never gives up, because HMRC doesn't repeat its receipt. If the database fails, storing is retried
 * for as long as this process lives. After that, HMRC's copy of the return proves the filing (resolve-filing.ts).
 */
import { AppError } from '@portal/domain/app-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createTrackedWork } from '../../tracked-work.ts';
import type { FilingRow } from './get-return.ts';
import { saveFilingOutcome, type FilingOutcome } from './save-filing-outcome.ts';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

const retries = createTrackedWork();

/** Called on shutdown, because the database may be back in time. */
export const waitForFilingOutcomes = (maxMs: number): Promise<void> => retries.wait(maxMs);

/** Throws if the outcome hasn't been stored yet, and keeps trying to store it in the background. */
export async function storeFilingOutcome(deps: AppDeps, filing: FilingRow, outcome: FilingOutcome): Promise<void> {
  try {
    await saveFilingOutcome(deps, filing, outcome);
  } catch (error) {
    deps.logger.error(
      { err: error, companyId: filing.companyId, filingId: filing.id },
      'HMRC’s response to a filing could not be stored yet',
    );
    void retries.track(storeWithRetries(deps, filing, outcome));
    const message =
      outcome.state === 'accepted'
        ? 'HMRC accepted your return, but we haven’t been able to save its receipt yet. We’re still trying. Don’t file it again. Reload this page in a minute.'
        : 'HMRC responded, but we haven’t been able to save the response yet. We’re still trying. Don’t file the return again. Reload this page in a minute.';
    throw new AppError('unavailable', 'return.answer_not_stored', message, undefined, error);
  }
}

async function storeWithRetries(deps: AppDeps, filing: FilingRow, outcome: FilingOutcome): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    await deps.pause(pauseMs);
    try {
      await saveFilingOutcome(deps, filing, outcome);
      deps.logger.warn({ companyId: filing.companyId, filingId: filing.id }, 'HMRC’s response to a filing is now stored');
      return;
    } catch (error) {
      deps.logger.error(
        { err: error, companyId: filing.companyId, filingId: filing.id },
        'HMRC’s response to a filing could not be stored yet',
      );
    }
  }
}
