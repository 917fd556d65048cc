/** Returns what a client's own users see: what is due and how to pay it. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { clientPortalApi } from '@portal/contract/client-portal.ts';
import {
  clientAuthorisations,
  clientRequestItems,
  clientRequests,
  clients,
  companies,
  dueItems,
  taxPositions,
} from '@portal/db/schema/schema.ts';
import type { Db } from '@portal/db/database.ts';
import { and, asc, eq, gt, isNotNull, isNull } from '@portal/db/sql.ts';
import { isWaitingForClient } from '@portal/domain/client-requests/client-request.ts';
import { getTaxFiguresState } from '@portal/domain/positions/figures-state.ts';
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { HMRC_BANK_ACCOUNTS } from '@portal/domain/uk-tax/references/hmrc-bank-account.ts';
import { findPaymentReference } from '@portal/domain/uk-tax/references/how-to-pay.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import { getOpenSteps } from './open-steps.ts';
import { DUE_ITEM_COLUMNS } from '../positions/due-item-columns.ts';

export async function getPortalOverview(
  { database: { db }, clock }: AppDeps,
  tenant: ClientTenant,
  userId: string,
): Promise<EndpointOutput<typeof clientPortalApi.overview>> {
  const { practiceId: companyId, clientId } = tenant;
  const today = clock.today();
  const [client] = await db
    .select({
      name: clients.name,
      practice: companies.name,
      vrn: clients.vrn,
      utr: clients.utr,
      accountsOfficeReference: clients.accountsOfficeReference,
      has: { vat: clients.hasVat, paye: clients.hasPaye, ct: clients.hasCt, sa: clients.hasSa },
    })
    .from(clients)
    .innerJoin(companies, eq(companies.id, clients.companyId))
    .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)));
  if (!client) throw createNotFoundError();
  const { name, practice, has, ...references } = client;
  const taxes = TAXES.filter((tax) => has[tax]);
  const positions = await listPositions(db, tenant);
  const items = (await listItems(db, tenant)).map((item) => {
    const isOverdue = item.what !== 'refund' && item.due_on < today;
    const payableItem = { tax: item.tax, isLate: isOverdue, periodEnd: item.period_end };
    return { ...item, is_overdue: isOverdue, reference: item.what === 'payment' ? findPaymentReference(payableItem, references) : null };
  });
  return {
    client_id: clientId,
    name,
    practice,
    today,
    taxes: taxes.map((tax) => {
      const { asOf = null, staleOn = null, owedPence = null } = positions.find((position) => position.tax === tax) ?? {};
      const isRead = asOf !== null;
      return { tax, figures_state: getTaxFiguresState({ isRead, staleOn }, today), as_of: asOf, owed_pence: isRead ? owedPence : null };
    }),
    due: items.filter(({ what }) => what !== 'refund'),
    refunds: items.filter(({ what }) => what === 'refund'),
    accounts: taxes.map((tax) => ({ tax, ...HMRC_BANK_ACCOUNTS[tax] })),
    to_do: await getOpenSteps(db, tenant, userId),
    asked: await findOpenRequests(db, tenant),
    requests: await listRequests(db, tenant, today),
  };
}

/** Returns the earliest request that the client hasn't answered, and the total number of unanswered items. */
async function findOpenRequests(db: Db, { practiceId, clientId }: ClientTenant) {
  const waitingItems = await db
    .select({ state: clientRequestItems.state, dueOn: clientRequests.dueOn })
    .from(clientRequests)
    .innerJoin(
      clientRequestItems,
      and(eq(clientRequestItems.companyId, clientRequests.companyId), eq(clientRequestItems.requestId, clientRequests.id)),
    )
    .where(
      and(
        eq(clientRequests.companyId, practiceId),
        eq(clientRequests.clientId, clientId),
        isNull(clientRequests.completedAt),
        isNull(clientRequests.cancelledAt),
      ),
    )
    .orderBy(asc(clientRequests.dueOn));
  const [first, ...otherItems] = waitingItems.filter(({ state }) => isWaitingForClient(state));
  return first === undefined ? null : { items: otherItems.length + 1, due_on: first.dueOn };
}

function listPositions(db: Db, { practiceId, clientId }: ClientTenant) {
  return db
    .select({ tax: taxPositions.tax, asOf: taxPositions.asOf, staleOn: taxPositions.staleOn, owedPence: taxPositions.owedPence })
    .from(taxPositions)
    .where(and(eq(taxPositions.companyId, practiceId), eq(taxPositions.clientId, clientId)));
}

/** Lists requests that HMRC still lets the client respond to. */
export async function listRequests(db: Db, { practiceId, clientId }: Pick<ClientTenant, 'practiceId' | 'clientId'>, today: PlainDate) {
  const rows = await db
    .select({ tax: clientAuthorisations.tax, url: clientAuthorisations.clientActionUrl, expiresOn: clientAuthorisations.expiresOn })
    .from(clientAuthorisations)
    .where(
      and(
        eq(clientAuthorisations.companyId, practiceId),
        eq(clientAuthorisations.clientId, clientId),
        eq(clientAuthorisations.status, 'link_sent'),
        isNotNull(clientAuthorisations.clientActionUrl),
        gt(clientAuthorisations.expiresOn, today),
      ),
    )
    .orderBy(asc(clientAuthorisations.tax));
  // HMRC ends a request at the beginning of the day on which it expires.
  return rows.flatMap(({ tax, url, expiresOn }) =>
    url === null || expiresOn === null ? [] : [{ tax, url, answer_by: addDays(expiresOn, -1) }],
  );
}

function listItems(db: Db, { practiceId, clientId }: ClientTenant) {
  return db
    .select({
      tax: dueItems.tax,
      ...DUE_ITEM_COLUMNS,
      period_start: dueItems.periodStart,
      period_end: dueItems.periodEnd,
    })
    .from(dueItems)
    .where(and(eq(dueItems.companyId, practiceId), eq(dueItems.clientId, clientId)))
    .orderBy(asc(dueItems.dueOn), asc(dueItems.tax), asc(dueItems.key));
}
