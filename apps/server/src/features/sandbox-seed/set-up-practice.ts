import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import { companies, hmrcConnections, memberships, practices, users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { startAgentAuthorisation } from '../hmrc-connection/start-authorisation.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { connectToSimulatedHmrc, seedCaller } from './connect-to-simulated-hmrc.ts';
import type { Seed } from './seed-schema.ts';
import { setUpClient } from './set-up-client.ts';

/**
 * Sets up the practice the way its administrator would: agent services account, agent codes, all four taxes and access to HMRC. Further
 * clients come from `npm run portfolio` or an import. Later changes by users are kept.
 */
export async function setUpPractice(deps: AppDeps, seed: Seed['practice']): Promise<void> {
  const { db } = deps.database;
  const [foundPractice] = await db
    .select({ userId: users.id, email: users.email, fullName: users.fullName, companyId: companies.id, status: hmrcConnections.status })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .innerJoin(companies, and(eq(companies.id, memberships.companyId), eq(companies.kind, 'practice')))
    .leftJoin(hmrcConnections, eq(hmrcConnections.companyId, companies.id))
    .where(and(eq(users.email, seed.admin_email), eq(companies.companyNumber, seed.company_number)));
  if (!foundPractice) return;
  const { userId, email, fullName, companyId, status } = foundPractice;
  await db
    .insert(practices)
    .values({
      companyId,
      ownerId: userId,
      arn: seed.arn,
      agentCodeCt: seed.agent_code_ct,
      agentCodePaye: seed.agent_code_paye,
      agentCodeSa: seed.agent_code_sa,
      taxes: TAXES,
      updatedAt: deps.clock.now(),
    })
    .onConflictDoNothing();
  const admin: ActingUser = {
    actor: { userId, email, fullName, isOperator: false, signInMethod: 'password', role: 'practice_admin' },
    caller: seedCaller,
  };
  await setUpClient(deps, admin, companyId, seed.client);
  if (status !== null) return;
  try {
    const consent = await startAgentAuthorisation(deps, admin, companyId, 'practice_settings');
    await connectToSimulatedHmrc(deps, admin, seed.hmrc_user_id, consent);
  } catch (error) {
    if (!(error instanceof ProviderError || error instanceof AppError)) throw error;
    // The portal works without the connection; the administrator can connect to HMRC in the settings.
    deps.logger.warn({ err: error }, 'sandbox: the practice could not be connected to the simulated HMRC');
  }
}
