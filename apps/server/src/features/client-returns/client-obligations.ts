/** Stores a client's VAT obligations from the latest HMRC read, for its returns. The read itself remains an observation. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { clientReturnsApi } from '@portal/contract/client-returns.ts';
import { clientObservations, clients, filings, obligations, periodFigures, returnApprovals } from '@portal/db/schema/schema.ts';
import { getReturnState } from '@portal/domain/vat-returns/return-state.ts';
import { and, desc, eq, isNotNull, isNull, or, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import { isOfPresentReference } from '../positions/observation-reference.ts';
import { isAttemptLost, toObligationOutput } from '../vat-returns/get-return.ts';
import { computeMissingFigures, findCurrentFile } from '../vat-returns/period-figures.ts';

/**
 * Updates the stored obligations from the latest HMRC read, and computes figures for obligations that arrived after the books. If both are
 * up to date, this writes nothing, so every read of the returns calls it: the jobs that read HMRC don't know about books.
 */
export async function updateClientObligations({ database: { db } }: AppDeps, { practiceId, clientId }: ClientTenant): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(sql`
    insert into obligations (company_id, id, period_key, period_start, period_end, due_on, status, received_on)
    select ${clientId}::uuid, gen_random_uuid(), o ->> 'periodKey', (o ->> 'start')::date, (o ->> 'end')::date, (o ->> 'due')::date,
      o ->> 'status', (o ->> 'received')::date
    from (
      ${selectNewest(practiceId, clientId)}
    ) as newest, jsonb_array_elements(newest.body) as o
    on conflict (company_id, period_key, period_start) do update
      set period_end = excluded.period_end, due_on = excluded.due_on, status = excluded.status, received_on = excluded.received_on
      where (obligations.period_end, obligations.due_on, obligations.status, obligations.received_on)
        is distinct from (excluded.period_end, excluded.due_on, excluded.status, excluded.received_on)
    returning id`);
  if (rows.length > 0) await computeMissingFigures(db, clientId);
}

/** The obligations as last read under the client's present VAT number. */
const selectNewest = (practiceId: string, clientId: string) => sql`
  select n.body from client_observations n join clients c on c.company_id = n.company_id and c.id = n.client_id
  where n.company_id = ${practiceId}::uuid and n.client_id = ${clientId}::uuid and n.kind = 'vat_obligations'
    and ${isOfPresentReference('c', 'n', ['vat_obligations'])}
  order by n.taken_at desc limit 1`;

type Output = EndpointOutput<typeof clientReturnsApi.list>;

/** Two years of monthly returns. */
const MAX_RETURNS = 24;

export async function listClientReturns(deps: AppDeps, tenant: ClientTenant): Promise<Output> {
  await updateClientObligations(deps, tenant);
  const { db } = deps.database;
  const { practiceId, clientId } = tenant;
  const [reading] = await db
    .select({ source: clientObservations.source, takenAt: clientObservations.takenAt })
    .from(clientObservations)
    .innerJoin(clients, and(eq(clients.companyId, clientObservations.companyId), eq(clients.id, clientObservations.clientId)))
    .where(
      and(
        eq(clientObservations.companyId, practiceId),
        eq(clientObservations.clientId, clientId),
        eq(clientObservations.kind, 'vat_obligations'),
        isOfPresentReference('clients', 'client_observations', ['vat_obligations']),
      ),
    )
    .orderBy(desc(clientObservations.takenAt))
    .limit(1);
  const file = await findCurrentFile(db, clientId);
  // Selects the relevant filing attempt, in the same way as findCurrentFiling.
  const attemptId = sql`(select n.id from filings n where n.company_id = ${obligations.companyId} and n.obligation_id = ${obligations.id}
    order by (n.state in ('sending', 'unknown', 'accepted')) desc, n.sent_at desc limit 1)`;
  // Periods of a VAT number that the client no longer has are listed only if they were filed here.
  const isInNewest = sql`exists (select from (${selectNewest(practiceId, clientId)}) as newest, jsonb_array_elements(newest.body) as o
    where o ->> 'periodKey' = ${obligations.periodKey} and (o ->> 'start')::date = ${obligations.periodStart})`;
  const rows = await db
    .select({ obligation: obligations, filing: filings, rows: periodFigures.rows, approval: returnApprovals.state })
    .from(obligations)
    .leftJoin(filings, and(eq(filings.companyId, obligations.companyId), eq(filings.id, attemptId)))
    .leftJoin(
      periodFigures,
      and(
        eq(periodFigures.companyId, obligations.companyId),
        eq(periodFigures.obligationId, obligations.id),
        eq(periodFigures.fileId, file?.id ?? sql`null::uuid`),
      ),
    )
    .leftJoin(
      returnApprovals,
      and(
        eq(returnApprovals.companyId, practiceId),
        eq(returnApprovals.clientId, clientId),
        eq(returnApprovals.obligationId, obligations.id),
        isNull(returnApprovals.endedAt),
      ),
    )
    .where(and(eq(obligations.companyId, clientId), or(isInNewest, isNotNull(filings.id))))
    .orderBy(desc(obligations.periodEnd))
    .limit(MAX_RETURNS);
  const today = deps.clock.today();
  return {
    returns: rows.map(({ obligation, filing, rows: count, approval }) => {
      const state = getReturnState(
        {
          periodEnd: obligation.periodEnd,
          fulfilled: obligation.status === 'fulfilled',
          hasFigures: count !== null,
          attempt: filing === null ? undefined : { state: filing.state, lost: isAttemptLost(deps, filing) },
        },
        today,
      );
      return { ...toObligationOutput(obligation, state, today), approval };
    }),
    source: reading?.source ?? null,
    as_of: reading?.takenAt ?? null,
  };
}
