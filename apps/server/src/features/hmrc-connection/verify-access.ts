/** Before storing an authorisation, checks whose data it gives access to. HMRC's page shows neither the trader's name nor the agency's. */
import type { Tx } from '@portal/db/database.ts';
import { companies, practices, vrnClaims } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-types.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { lockCompany } from '../advances/transition-advance.ts';

/**
 * The reason for not storing an authorisation. `vrn_claimed`: another company here is connected for the VAT number. `wrong_agency`: another
 * practice's account. `not_an_agent`: a sign-in without an agent services account.
 */
export type ConnectionRejection = 'failed' | 'wrong_vrn' | 'vrn_claimed' | 'wrong_agency' | 'not_an_agent';

/** The facts for the audit trail, and a final check in the transaction that stores the authorisation. */
export type VerifiedAccess = {
  readonly facts: Readonly<Record<string, string>>;
  readonly confirm: (tx: Tx, now: Instant) => Promise<ConnectionRejection | undefined>;
};

/** Makes a call that only the trader's own authorisation allows. For another business it throws HMRC's error. */
export async function verifyTraderAccess(deps: AppDeps, companyId: string, call: HmrcCall): Promise<VerifiedAccess | ConnectionRejection> {
  const [company] = await deps.database.db.select({ vrn: companies.vrn }).from(companies).where(eq(companies.id, companyId));
  const vrn = company?.vrn;
  if (!vrn) return 'failed';
  await deps.hmrc.listObligations(call, vrn, { status: 'open' });
  return {
    facts: { vrn },
    confirm: async (tx, now) => {
      // The VAT number may have been corrected while the user was at HMRC. The lock lets a correction see this connection, or the reverse.
      await lockCompany(tx, companyId);
      const [current] = await tx.select({ vrn: companies.vrn }).from(companies).where(eq(companies.id, companyId));
      if (current?.vrn !== vrn) return 'wrong_vrn';
      await tx.insert(vrnClaims).values({ vrn, companyId, claimedAt: now }).onConflictDoNothing();
      const [claim] = await tx.select({ companyId: vrnClaims.companyId }).from(vrnClaims).where(eq(vrnClaims.vrn, vrn));
      return claim?.companyId === companyId ? undefined : 'vrn_claimed';
    },
  };
}

/** Lists the agency's own requests, which HMRC shows only to that agency. */
export async function verifyAgentAccess(deps: AppDeps, companyId: string, call: HmrcCall): Promise<VerifiedAccess | ConnectionRejection> {
  const [practice] = await deps.database.db.select({ arn: practices.arn }).from(practices).where(eq(practices.companyId, companyId));
  const arn = practice?.arn;
  if (!arn) return 'failed';
  const agency = await deps.hmrcAgent.checkAgency(call, arn);
  if (agency !== 'own') return agency === 'other_agency' ? 'wrong_agency' : 'not_an_agent';
  return {
    facts: { arn },
    confirm: async (tx) => {
      // The reference number may have changed while the user was at HMRC.
      const [currentPractice] = await tx
        .select({ arn: practices.arn })
        .from(practices)
        .where(eq(practices.companyId, companyId))
        .for('update');
      return currentPractice?.arn === arn ? undefined : 'wrong_agency';
    },
  };
}
