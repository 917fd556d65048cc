/**
 * Determines the outcome of a filing whose response was lost by reading HMRC's copy of the return. Reading can be repeated; sending can't.
 */
import type { FiledBoxes } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { saveFilingOutcome } from './save-filing-outcome.ts';
import { getReturnSnapshot } from './get-return.ts';
import type { Taxpayer } from './taxpayer.ts';
import { toDomainBoxes } from './to-nine-boxes.ts';
import { withTaxpayerAccessToken } from './with-taxpayer-access-token.ts';

/** Does nothing unless the outcome is unknown. Throws if HMRC doesn't respond; the outcome then remains unknown. */
export async function resolveFiling(deps: AppDeps, user: ActingUser, taxpayer: Taxpayer, obligationId: string): Promise<void> {
  const { filing, state, obligation } = await getReturnSnapshot(deps, deps.database.db, taxpayer.companyId, obligationId);
  if (!filing || state !== 'outcome_unknown') return;
  // Set this before reading: from now on, a call that is still waiting for its slot won't be sent (file-return.ts).
  if (filing.state === 'sending') await saveFilingOutcome(deps, filing, { state: 'unknown' });
  const { hmrcReturn, isOpen } = await withTaxpayerAccessToken(deps, taxpayer, user, async (call, vrn) => {
    const returnAtHmrc = await deps.hmrc.findReturn(call, vrn, obligation.periodKey);
    const openObligations = returnAtHmrc ? [] : await deps.hmrc.listObligations(call, vrn, { status: 'open' });
    return { hmrcReturn: returnAtHmrc, isOpen: openObligations.some(({ periodKey }) => periodKey === obligation.periodKey) };
  });
  if (!hmrcReturn && !isOpen) {
    const message = 'HMRC shows this return as received, but doesn’t give its figures yet. Check again in a few minutes.';
    throw new AppError('upstream', 'return.figures_not_at_hmrc', message);
  }
  if (!hmrcReturn) {
    return saveFilingOutcome(deps, filing, {
      state: 'not_received',
      refusal: 'HMRC didn’t receive the return, so nothing was filed. You can file it now.',
    });
  }
  if (isSameReturn(hmrcReturn, filing.boxes)) return saveFilingOutcome(deps, filing, { state: 'accepted', receiptSource: 'read_back' });
  return saveFilingOutcome(deps, filing, {
    state: 'refused',
    refusal: 'HMRC already has a return for this period with different figures, so yours wasn’t filed.',
  });
}

function isSameReturn(hmrcReturn: NineBoxes, filedBoxes: FiledBoxes): boolean {
  const ownBoxes = toDomainBoxes(filedBoxes);
  return (Object.keys(ownBoxes) as (keyof typeof ownBoxes)[]).every((box) => Number(hmrcReturn[box]) === Number(ownBoxes[box]));
}
