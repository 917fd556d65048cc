/** Decides for each selected client whether it gets an authorisation request. */
import type { ClientSelection } from '@portal/contract/clients.ts';
import { isInIdList } from '@portal/db/in-id-list.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clientAuthorisations, clients } from '@portal/db/schema/schema.ts';
import { planRequest, SKIP_REASONS, type SkipReason } from '@portal/domain/authorisations/request-outcome.ts';
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { and, asc, eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { getAuthorisationStatusSql } from '../authorisations/authorisation-status-sql.ts';
import { isEmailingRequests } from '../authorisation-emails/request-emailing.ts';
import { selectClientAddress } from '../messages/client-address-sql.ts';
import { listMatchingClients } from '../clients/select-clients.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';

export type RequestSelection = ClientSelection & { readonly tax: AgentTax };
export type PlannedClient = { readonly id: string; readonly name: string; readonly plan: 'ready' | SkipReason; readonly hasEmail: boolean };

const SAMPLE_SIZE = 5;
/** Creating a request and reading its link are two calls, and HMRC allows three a second. */
const REQUESTS_PER_MINUTE = 90;

export async function previewRequests(deps: AppDeps, companyId: string, actor: Actor, selection: RequestSelection) {
  const plannedRequests = await planRequests(deps, deps.database.db, companyId, actor, selection);
  const readyClients = plannedRequests.filter(({ plan }) => plan === 'ready');
  const emailsClients = await isEmailingRequests(deps.database.db, companyId);
  const take = (group: readonly PlannedClient[]) =>
    (selection.matching ? group.slice(0, SAMPLE_SIZE) : group).map(({ id, name }) => ({ client_id: id, name }));
  return {
    ready: readyClients.length,
    sample: take(readyClients),
    skipped: SKIP_REASONS.flatMap((reason) => {
      const skippedRequests = plannedRequests.filter(({ plan }) => plan === reason);
      return skippedRequests.length > 0 ? [{ reason, clients: skippedRequests.length, sample: take(skippedRequests) }] : [];
    }),
    minutes: Math.ceil(readyClients.length / REQUESTS_PER_MINUTE),
    emails_clients: emailsClients,
    without_email: readyClients.filter(({ hasEmail }) => !hasEmail).length,
  };
}

/** Plans requests for the selected clients that the user may see, by name. */
export async function planRequests(
  { clock }: Pick<AppDeps, 'clock'>,
  db: Db | Tx,
  companyId: string,
  actor: Actor,
  { tax, client_ids: listedIds, matching }: RequestSelection,
): Promise<readonly PlannedClient[]> {
  const today = clock.today();
  const ids = matching ? await listMatchingClients(db, { companyId, actor, today }, matching) : [...new Set(listedIds)];
  const rows = await db
    .select({
      id: clients.id,
      name: clients.name,
      hasTax: tax === 'vat' ? clients.hasVat : clients.hasSa,
      isGroupMember: tax === 'vat' ? sql<boolean>`${clients.vatGroupRole} is not distinct from 'member'` : sql<boolean>`false`,
      isCurrent: sql<boolean>`${clients.status} not in ('inactive', 'closed')`,
      status: getAuthorisationStatusSql(sql`${clients.companyId}`, sql`${clients.id}`, tax, sql`${today}::date`),
      link: clientAuthorisations.clientActionUrl,
      email: selectClientAddress(sql`clients`),
      reference: tax === 'vat' ? clients.vrn : clients.nino,
      fact: tax === 'vat' ? sql<string | null>`${clients.vatRegisteredOn}::text` : clients.postcode,
    })
    .from(clients)
    .leftJoin(
      clientAuthorisations,
      and(
        eq(clientAuthorisations.companyId, clients.companyId),
        eq(clientAuthorisations.clientId, clients.id),
        eq(clientAuthorisations.tax, tax),
      ),
    )
    .where(and(eq(clients.companyId, companyId), isInIdList(clients.id, ids), isVisibleTo(actor, clients.companyId, clients.id)))
    .orderBy(asc(clients.name), asc(clients.id));
  return rows.map(({ id, name, link, reference, fact, email, ...facts }) => ({
    id,
    name,
    hasEmail: email !== null,
    plan: planRequest({ ...facts, hasLink: link !== null, hasReference: reference !== null, hasFact: fact !== null }),
  }));
}
