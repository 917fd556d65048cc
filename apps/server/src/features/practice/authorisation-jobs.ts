/**
 * Expires authorisation requests and reads clients' answers. HMRC sends no notification of an answer (docs/reference/hmrc.md section 5).
 * Fraud prevention headers are required only for VAT and income tax calls (section 9), so these calls send none.
 */
import { clientAuthorisations, practices } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, asc, eq, isNotNull, lt, lte } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { useAgentGrant } from '../hmrc-connection/use-hmrc.ts';
import { readInvitation } from './ask-authorisation.ts';
import { storeAuthorisation, type Found } from './store-authorisation.ts';

/** Clients answer within days, not minutes. Users who want to know at once can check it themselves. */
const ASK_AGAIN_MS = 4 * 3_600_000;
/** A small batch, so that users' own calls hardly wait: HMRC allows three a second. */
const MOST_ASKED = 20;

export function authorisationJobs(deps: AppDeps): Pick<PortalJobHandlers, 'authorisations.sweep'> {
  return {
    'authorisations.sweep': async () => {
      await expireRequests(deps);
      await askForAnswers(deps);
    },
  };
}

type Waiting = Awaited<ReturnType<typeof listWaiting>>[number];

/** Uses the expiry date that HMRC gave, so no call is needed. */
async function expireRequests(deps: AppDeps): Promise<void> {
  const over = await deps.database.db
    .select({ companyId: clientAuthorisations.companyId, clientId: clientAuthorisations.clientId, tax: clientAuthorisations.tax })
    .from(clientAuthorisations)
    .where(and(eq(clientAuthorisations.status, 'link_sent'), lte(clientAuthorisations.expiresOn, deps.clock.today())))
    .limit(1_000);
  for (const one of over) await keep(deps, one, { status: 'expired', refusal: null });
}

async function askForAnswers(deps: AppDeps): Promise<void> {
  const gone = new Set<string>();
  for (const one of await listWaiting(deps)) {
    if (gone.has(one.companyId)) continue;
    try {
      const found = await useAgentGrant(deps, one.companyId, {}, (call) => readInvitation(deps.hmrcAgent, call, one.arn, one.invitationId));
      await keep(deps, one, found ?? { status: 'expired', refusal: null });
    } catch (error) {
      if (!(error instanceof ProviderError || error instanceof AppError)) throw error;
      // Skip this practice until the next run and continue with the others.
      gone.add(one.companyId);
      deps.logger.warn({ err: error, companyId: one.companyId }, 'answers to authorisation requests could not be read');
    }
  }
}

async function listWaiting(deps: AppDeps) {
  const { companyId, clientId, tax, invitationId, status, checkedAt } = clientAuthorisations;
  const rows = await deps.database.db
    .select({ companyId, clientId, tax, invitationId, arn: practices.arn })
    .from(clientAuthorisations)
    .innerJoin(practices, eq(practices.companyId, companyId))
    .where(
      and(
        eq(status, 'link_sent'),
        isNotNull(invitationId),
        isNotNull(practices.arn),
        lt(checkedAt, addMilliseconds(deps.clock.now(), -ASK_AGAIN_MS)),
      ),
    )
    .orderBy(asc(checkedAt))
    .limit(MOST_ASKED);
  return rows.flatMap((row) =>
    row.invitationId === null || row.arn === null ? [] : [{ ...row, invitationId: row.invitationId, arn: row.arn }],
  );
}

async function keep(
  deps: AppDeps,
  { companyId, clientId, tax }: Pick<Waiting, 'companyId' | 'clientId' | 'tax'>,
  found: Found,
): Promise<void> {
  if (tax !== 'vat' && tax !== 'sa') return;
  await deps.database.db.transaction((tx) =>
    storeAuthorisation(deps, tx, { companyId, clientId, tax }, found, { actor: 'hmrc', action: 'authorisation.checked' }),
  );
}
