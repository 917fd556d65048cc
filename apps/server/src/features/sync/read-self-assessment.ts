/**
 * HMRC calls for one client's income tax. Account, updates and declarations are read every time (3 calls), payments only if the account has
 * changed.
 */
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-types.ts';
import { toIncomeTaxObligations, toPaymentFacts, toSelfAssessmentCharges } from '@portal/providers/hmrc-agent/self-assessment-facts-map.ts';
import type { SelfAssessmentClient } from '@portal/providers/hmrc-agent/self-assessment-port.ts';
import { toCanonicalText } from '../positions/canonical-text.ts';
import type { ObservedBodies } from './read-vat.ts';

/** HMRC returns payments for at most two years (docs/reference/hmrc.md section 6.1). */
const MAX_PAYMENT_DAYS = 731;

/** Someone who isn't signed up to Making Tax Digital has no charges or obligations in HMRC's APIs. Computed due dates remain. */
export async function readSelfAssessment(
  client: SelfAssessmentClient,
  call: HmrcCall,
  nino: string,
  previous: ObservedBodies,
  today: PlainDate,
): Promise<ObservedBodies> {
  const account = await client.findAccount(call, nino);
  const balance = { charges: toSelfAssessmentCharges(account) };
  const isNew = toCanonicalText(balance) !== toCanonicalText(previous.sa_balance);
  const payments =
    account && (isNew || !previous.sa_payments)
      ? await client.listPayments(call, nino, { from: addDays(today, -MAX_PAYMENT_DAYS), to: today })
      : undefined;
  const updates = await client.listUpdates(call, nino, { status: 'open' });
  const declarations = await client.listDeclarations(call, nino);
  return {
    sa_balance: balance,
    sa_obligations: toIncomeTaxObligations(updates, declarations),
    ...(payments ? { sa_payments: toPaymentFacts(payments) } : {}),
  };
}
