/**
 * Counts the days of requests that wait, and asks HMRC for their answers. HMRC tells nobody when a client answers (reference FACTS section 5),
 * and its fraud-prevention headers belong to VAT and income tax calls (section 9): these read neither, and name no person.
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

/** A client answers within days, not minutes; whoever wants to know at once presses "check". */
const ASK_AGAIN_MS = 4 * 3_600_000;
/** So few that people's own calls hardly wait: HMRC allows three a second. */
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

/** By the day HMRC named: it need not be asked. */
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
      // This practice's turn comes again; the others' is now.
      gone.add(one.companyId);
      deps.logger.warn({ err: error, companyId: one.companyId }, 'answers to requests of authority could not be read');
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
