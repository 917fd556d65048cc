/** Updates a client's amounts in the client list, over all its taxes. */
import type { Tx } from '@portal/db/database.ts';
import { isInIdList } from '@portal/db/in-id-list.ts';
import { clientAuthorisations, clients, clientSyncs, taxPositions } from '@portal/db/schema/schema.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { getAuthorisationStatus, UNAUTHORISED_STATUSES, type Authorisation } from '@portal/domain/authorisations/describe-authorisation.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { getStaleDay } from '@portal/domain/positions/figures-state.ts';
import { NEVER_DUE, summariseClient, type ClientTaxStatus } from '@portal/domain/positions/summarise-client.ts';
import { isAuthorisationReason } from '@portal/domain/sync/sync-reasons.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, eq, inArray, sql } from '@portal/db/sql.ts';
import { listTaxes } from '../clients/list-clients.ts';

/** Updates only existing rows; `upsertClientRows` creates them. The caller has locked the clients. */
export async function writeClientRows(tx: Tx, companyId: string, clientIds: readonly string[], today: PlainDate): Promise<void> {
  const taxStatuses = await loadTaxStatuses(tx, companyId, clientIds, today);
  const clientTaxes = await loadTaxes(tx, companyId, clientIds);
  await writeFreshness(tx, companyId, taxStatuses);
  const rows = clientIds.map((clientId) => {
    const statuses = taxStatuses.get(clientId) ?? [];
    const { taxes = [], isGroupMember = false } = clientTaxes.get(clientId) ?? {};
    const summary = summariseClient(taxes, statuses, today, { isGroupMember });
    const getDueOn = (tax: Tax) => statuses.find((status) => status.tax === tax)?.nextDueOn ?? NEVER_DUE;
    return {
      client_id: clientId,
      next_due_on: summary.nextDueOn,
      next_due_tax: summary.nextDueTax,
      next_due_what: summary.nextDueWhat,
      next_due_pence: summary.nextDuePence,
      owed_pence: summary.owed,
      overdue_pence: summary.overdue,
      refund_pence: summary.refund,
      attention: summary.attention,
      as_of: summary.asOf,
      read_taxes: summary.readTaxes,
      stale_on: summary.staleOn,
      refresh_failed: summary.hasFailed,
      vat_due_on: getDueOn('vat'),
      paye_due_on: getDueOn('paye'),
      ct_due_on: getDueOn('ct'),
      sa_due_on: getDueOn('sa'),
    };
  });
  await tx.execute(sql`
    update client_rows set next_due_on = n.next_due_on, next_due_tax = n.next_due_tax, next_due_what = n.next_due_what,
      next_due_pence = n.next_due_pence, owed_pence = n.owed_pence, overdue_pence = n.overdue_pence, refund_pence = n.refund_pence,
      attention = n.attention, as_of = n.as_of, read_taxes = n.read_taxes, stale_on = n.stale_on, refresh_failed = n.refresh_failed,
      vat_due_on = n.vat_due_on, paye_due_on = n.paye_due_on, ct_due_on = n.ct_due_on, sa_due_on = n.sa_due_on
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(
      client_id uuid, next_due_on date, next_due_tax text, next_due_what text, next_due_pence bigint, owed_pence bigint,
      overdue_pence bigint, refund_pence bigint, attention text, as_of timestamptz, read_taxes text[], stale_on date, refresh_failed boolean,
      vat_due_on date, paye_due_on date, ct_due_on date, sa_due_on date)
    where client_rows.company_id = ${companyId} and client_rows.client_id = n.client_id`);
}

type ClientTaxes = { readonly taxes: readonly Tax[]; readonly isGroupMember: boolean };

/** Returns the taxes of each client, with or without a position, and whether its VAT is in a group that another member represents. */
async function loadTaxes(tx: Tx, companyId: string, clientIds: readonly string[]): Promise<Map<string, ClientTaxes>> {
  const { id: clientId, hasVat, hasPaye, hasCt, hasSa, vatGroupRole } = clients;
  const rows = await tx
    .select({ id: clientId, hasVat, hasPaye, hasCt, hasSa, role: vatGroupRole })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), isInIdList(clients.id, clientIds)));
  return new Map(rows.map(({ id, role, ...has }) => [id, { taxes: listTaxes(has), isGroupMember: role === 'member' }]));
}

/** Stores whether each tax's figures are stale, by the same rule as for the client's row. */
async function writeFreshness(tx: Tx, companyId: string, taxStatuses: ReadonlyMap<string, readonly ClientTaxStatus[]>): Promise<void> {
  const rows = [...taxStatuses].flatMap(([clientId, list]) =>
    list.map((status) => ({
      client_id: clientId,
      tax: status.tax,
      stale_on: getStaleDay(status),
      refresh_failed: status.hasReadingFailed,
    })),
  );
  await tx.execute(sql`
    update tax_positions p set stale_on = n.stale_on, refresh_failed = n.refresh_failed
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(client_id uuid, tax text, stale_on date, refresh_failed boolean)
    where p.company_id = ${companyId} and p.client_id = n.client_id and p.tax = n.tax
      and (p.stale_on, p.refresh_failed) is distinct from (n.stale_on, n.refresh_failed)`);
}

async function loadTaxStatuses(
  tx: Tx,
  companyId: string,
  clientIds: readonly string[],
  today: PlainDate,
): Promise<Map<string, ClientTaxStatus[]>> {
  const ids = [...clientIds];
  const rows = await tx
    .select({
      clientId: taxPositions.clientId,
      tax: taxPositions.tax,
      owed: taxPositions.owedPence,
      overdue: taxPositions.overduePence,
      refund: taxPositions.refundPence,
      overdueReturns: taxPositions.overdueReturns,
      overdueUpdates: taxPositions.overdueUpdates,
      nextDueOn: taxPositions.nextDueOn,
      nextDueWhat: taxPositions.nextDueWhat,
      nextDuePence: taxPositions.nextDuePence,
      source: taxPositions.source,
      asOf: taxPositions.asOf,
      state: clientSyncs.state,
      reason: clientSyncs.reason,
      retryAt: clientSyncs.retryAt,
      authorisation: clientAuthorisations.status,
      sentAt: clientAuthorisations.sentAt,
      expiresOn: clientAuthorisations.expiresOn,
    })
    .from(taxPositions)
    .leftJoin(
      clientSyncs,
      and(
        eq(clientSyncs.companyId, taxPositions.companyId),
        eq(clientSyncs.clientId, taxPositions.clientId),
        eq(clientSyncs.tax, taxPositions.tax),
      ),
    )
    .leftJoin(
      clientAuthorisations,
      and(
        eq(clientAuthorisations.companyId, taxPositions.companyId),
        eq(clientAuthorisations.clientId, taxPositions.clientId),
        eq(clientAuthorisations.tax, taxPositions.tax),
      ),
    )
    .where(and(eq(taxPositions.companyId, companyId), inArray(taxPositions.clientId, ids)));
  const taxStatuses = rows.map(({ state, reason, retryAt, authorisation, sentAt, expiresOn, clientId, ...row }) => ({
    clientId,
    taxStatus: {
      ...row,
      hasReadingFailed: state === 'failed' && retryAt === null,
      isReadingRefused: state === 'failed' && isAuthorisationReason(reason),
      ...describeAuthority(
        getAuthorisationStatus({
          tax: row.tax,
          status: authorisation,
          sentOn: sentAt === null ? null : toLondonDate(sentAt),
          expiresOn,
          // If the practice's own connection has ended, that isn't a problem of this client.
          hmrcConnection: 'connected',
          today,
        }),
      ),
    },
  }));
  const byClient = Map.groupBy(taxStatuses, ({ clientId }) => clientId);
  return new Map([...byClient].map(([clientId, list]) => [clientId, list.map(({ taxStatus }) => taxStatus)]));
}

function describeAuthority(status: Authorisation): Pick<ClientTaxStatus, 'isUnauthorised' | 'isRequestPending'> {
  return { isUnauthorised: UNAUTHORISED_STATUSES.includes(status), isRequestPending: status === 'link_sent' };
}
