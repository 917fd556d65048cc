/** Ends a mandate at GoCardless, so that no more money can be collected, and stores the state that GoCardless then reports. */
import { mandates } from '@portal/db/schema/schema.ts';
import type { AppDeps } from '../../app-deps.ts';
import { getDirectDebits, isThisMandate, readMandate } from './read-mandate.ts';

export async function cancelMandate(deps: AppDeps, companyId: string, id: string): Promise<void> {
  const [mandate] = await deps.database.db.select().from(mandates).where(isThisMandate({ companyId, id }));
  if (!mandate) return;
  const directDebits = getDirectDebits(deps);
  if (mandate.billingRequestId !== null && mandate.providerMandateId === null) {
    // The payer may have completed GoCardless's page since we last read it, in which case the mandate must be ended.
    await directDebits.cancelMandateRequest(mandate.billingRequestId);
    const request = await directDebits.findMandateRequest(mandate.billingRequestId);
    if (request?.mandateId !== undefined) await directDebits.cancelMandate(request.mandateId);
  } else if (mandate.providerMandateId !== null) await directDebits.cancelMandate(mandate.providerMandateId);
  await readMandate(deps, mandate);
}
