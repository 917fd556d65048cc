/** Lists the runs that create authorisation requests, and the links of pending requests. */
import type { RequestRun } from '@portal/contract/authorisation-requests.ts';
import type { Db } from '@portal/db/database.ts';
import { authorisationRunClients, authorisationRuns, clientAuthorisations, clients } from '@portal/db/schema/schema.ts';
import { REQUEST_OUTCOMES } from '@portal/domain/authorisations/request-outcome.ts';
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { and, asc, count, desc, eq, isNotNull, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { loadRequestEmails } from '../authorisation-emails/load-request-emails.ts';
import { getAuthorisationStatusSql } from '../authorisations/authorisation-status-sql.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';

const MAX_EXAMPLES = 5;

/** Returns the newest run with clients that the user may see, counted from its rows. */
export async function getLatestRun(db: Db, companyId: string, tax: AgentTax, actor: Actor): Promise<{ run: RequestRun | null }> {
  const [run] = await db
    .select()
    .from(authorisationRuns)
    .where(and(eq(authorisationRuns.companyId, companyId), eq(authorisationRuns.tax, tax)))
    .orderBy(desc(authorisationRuns.startedAt))
    .limit(1);
  if (!run) return { run: null };
  const rows = await db
    .select({
      outcome: authorisationRunClients.outcome,
      clients: count(),
      examples: sql<
        { client_id: string; name: string }[]
      >`(jsonb_agg(jsonb_build_object('client_id', ${clients.id}, 'name', ${clients.name}) order by ${clients.name}))`,
    })
    .from(authorisationRunClients)
    .innerJoin(clients, and(eq(clients.companyId, authorisationRunClients.companyId), eq(clients.id, authorisationRunClients.clientId)))
    .where(
      and(
        eq(authorisationRunClients.companyId, companyId),
        eq(authorisationRunClients.runId, run.id),
        isVisibleTo(actor, authorisationRunClients.companyId, authorisationRunClients.clientId),
      ),
    )
    .groupBy(authorisationRunClients.outcome);
  const total = rows.reduce((sum, row) => sum + row.clients, 0);
  if (total === 0) return { run: null };
  return {
    run: {
      run_id: run.id,
      tax: run.tax,
      started_at: run.startedAt,
      ended_at: run.endedAt,
      reason: run.reason,
      total,
      queued: rows.find(({ outcome }) => outcome === null)?.clients ?? 0,
      outcomes: REQUEST_OUTCOMES.flatMap((outcome) => {
        const row = rows.find((row) => row.outcome === outcome);
        return row ? [{ outcome, clients: row.clients, examples: row.examples.slice(0, MAX_EXAMPLES) }] : [];
      }),
    },
  };
}

/** Lists, by client name, the links of requests without a response, and whether each was emailed. */
export async function listPendingLinks(
  { database: { db }, clock }: Pick<AppDeps, 'database' | 'clock'>,
  companyId: string,
  tax: AgentTax,
  actor: Actor,
) {
  const status = getAuthorisationStatusSql(sql`${clients.companyId}`, sql`${clients.id}`, tax, sql`${clock.today()}::date`);
  const getEmail = await loadRequestEmails(db, { companyId, tax }, clock.today());
  const links = await db
    .select({
      client_id: clients.id,
      name: clients.name,
      email: clients.email,
      url: sql<string>`${clientAuthorisations.clientActionUrl}`,
      expires_on: clientAuthorisations.expiresOn,
    })
    .from(clientAuthorisations)
    .innerJoin(clients, and(eq(clients.companyId, clientAuthorisations.companyId), eq(clients.id, clientAuthorisations.clientId)))
    .where(
      and(
        eq(clientAuthorisations.companyId, companyId),
        eq(clientAuthorisations.tax, tax),
        isNotNull(clientAuthorisations.clientActionUrl),
        sql`${status} = 'link_sent'`,
        sql`${clients.status} not in ('inactive', 'closed')`,
        isVisibleTo(actor, clients.companyId, clients.id),
      ),
    )
    .orderBy(asc(clients.name), asc(clients.id));
  return links.map((link) => ({ ...link, emailed: getEmail(link.client_id, tax) }));
}
