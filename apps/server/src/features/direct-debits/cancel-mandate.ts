/** Ends a mandate at GoCardless, so that nothing can be collected any more, and stores what GoCardless then says. */
import { mandates } from '@portal/db/schema/schema.ts';
import type { AppDeps } from '../../app-deps.ts';
import { getDirectDebits, isThisMandate, readMandate } from './read-mandate.ts';

export async function cancelMandate(deps: AppDeps, companyId: string, id: string): Promise<void> {
  const [mandate] = await deps.database.db.select().from(mandates).where(isThisMandate({ companyId, id }));
  if (!mandate) return;
  const directDebits = getDirectDebits(deps);
  if (mandate.billingRequestId !== null && mandate.providerMandateId === null) {
    // The payer may have finished GoCardless's page since we last read it; then the mandate is what has to end.
    await directDebits.cancelMandateRequest(mandate.billingRequestId);
    const request = await directDebits.findMandateRequest(mandate.billingRequestId);
    if (request?.mandateId !== undefined) await directDebits.cancelMandate(request.mandateId);
  } else if (mandate.providerMandateId !== null) await directDebits.cancelMandate(mandate.providerMandateId);
  await readMandate(deps, mandate);
}
