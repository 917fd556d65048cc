/** Updates the amounts in the client list, over all taxes of a client. */
import type { Tx } from '@portal/db/database.ts';
import { clientAuthorisations, clientSyncs, taxPositions } from '@portal/db/schema/schema.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { getAuthorisationStatus, UNAUTHORISED_STATUSES, type Authorisation } from '@portal/domain/authorisations/describe-authorisation.ts';
import { londonDate } from '@portal/domain/clock.ts';
import { isAuthorisationReason } from '@portal/domain/sync/sync-reasons.ts';
import { summariseClient, type ClientTaxStatus } from '@portal/domain/positions/summarise-client.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';

/** Updates existing rows only; `upsertClientRows` creates them. The caller has locked the clients. */
export async function writeClientRows(tx: Tx, companyId: string, clientIds: readonly string[], today: PlainDate): Promise<void> {
  const taxStatuses = await loadTaxStatuses(tx, companyId, clientIds, today);
  const rows = clientIds.map((clientId) => {
    const summary = summariseClient(taxStatuses.get(clientId) ?? [], today);
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
    };
  });
  await tx.execute(sql`
    update client_rows set next_due_on = n.next_due_on, next_due_tax = n.next_due_tax, next_due_what = n.next_due_what,
      next_due_pence = n.next_due_pence, owed_pence = n.owed_pence, overdue_pence = n.overdue_pence, refund_pence = n.refund_pence,
      attention = n.attention, as_of = n.as_of
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(
      client_id uuid, next_due_on date, next_due_tax text, next_due_what text, next_due_pence bigint, owed_pence bigint,
      overdue_pence bigint, refund_pence bigint, attention text, as_of timestamptz)
    where client_rows.company_id = ${companyId} and client_rows.client_id = n.client_id`);
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
      nextDueOn: taxPositions.nextDueOn,
      nextDueWhat: taxPositions.nextDueWhat,
      nextDuePence: taxPositions.nextDuePence,
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
      hasData: row.asOf !== null || row.nextDueOn !== null,
      hasReadingFailed: state === 'failed' && retryAt === null && !isAuthorisationReason(reason),
      ...describeAuthority(
        getAuthorisationStatus({
          tax: row.tax,
          status: authorisation,
          sentOn: sentAt === null ? null : londonDate(sentAt),
          expiresOn,
          // The end of the practice's own connection concerns no single client.
          hmrcConnection: 'connected',
          today,
        }),
        authorisation !== null,
      ),
    },
  }));
  const byClient = Map.groupBy(taxStatuses, ({ clientId }) => clientId);
  return new Map([...byClient].map(([clientId, list]) => [clientId, list.map(({ taxStatus }) => taxStatus)]));
}

/** A client that HMRC hasn't answered for yet isn't called unauthorised: we don't know. */
function describeAuthority(status: Authorisation, isKnown: boolean): Pick<ClientTaxStatus, 'isUnauthorised' | 'isRequestPending'> {
  return { isUnauthorised: isKnown && UNAUTHORISED_STATUSES.includes(status), isRequestPending: status === 'link_sent' };
}
