/** Oakline as Priya would have set it up: its agent services account, its codes, all four taxes, HMRC's permission. Its clients come by `npm run portfolio` or by import. */
import { companies, hmrcConnections, memberships, practices, users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { beginAgentConsent } from '../hmrc-connection/begin-consent.ts';
import type { Person } from '../hmrc-connection/use-hmrc.ts';
import { consentAtTheDouble } from './consent-at-the-double.ts';

export const OAKLINE_COMPANY = { name: 'Oakline Accounting', companyNumber: '07331942' } as const;

/** A second time changes nothing of what people have changed since. */
export async function makeOaklineReady(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const [found] = await db
    .select({ userId: users.id, email: users.email, fullName: users.fullName, companyId: companies.id, status: hmrcConnections.status })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .innerJoin(companies, and(eq(companies.id, memberships.companyId), eq(companies.kind, 'practice')))
    .leftJoin(hmrcConnections, eq(hmrcConnections.companyId, companies.id))
    .where(and(eq(users.email, OAKLINE.emailAddress), eq(companies.companyNumber, OAKLINE_COMPANY.companyNumber)));
  if (!found) return;
  const { userId, email, fullName, companyId, status } = found;
  await db
    .insert(practices)
    .values({
      companyId,
      arn: OAKLINE.arn,
      agentCodeCt: 'C7331O',
      agentCodePaye: 'P7331O',
      agentCodeSa: 'S7331O',
      taxes: ['vat', 'paye', 'ct', 'sa'],
      updatedAt: deps.clock.now(),
    })
    .onConflictDoNothing();
  if (status !== null) return;
  // A seed has no browser; the double grades what is missing, as HMRC would.
  const priya: Person = {
    actor: { userId, email, fullName, isOperator: false, signInMethod: 'password', role: 'practice_admin' },
    caller: { ip: '127.0.0.1', port: undefined, userAgent: 'sandbox seed', deviceId: undefined, device: undefined },
  };
  try {
    await consentAtTheDouble(deps, priya, OAKLINE.hmrcUserId, await beginAgentConsent(deps, priya, companyId, 'practice_settings'));
  } catch (error) {
    if (!(error instanceof ProviderError || error instanceof AppError)) throw error;
    // The world can be used without it: Priya connects HMRC by hand.
    deps.logger.warn({ err: error }, 'sandbox: Oakline could not be connected to the double of HMRC');
  }
}
