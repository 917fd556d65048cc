/** Loads whether pending authorisation requests were emailed, to whom and when, or why not. */
import type { RequestEmail } from '@portal/contract/authorisations.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { sql } from '@portal/db/sql.ts';
import { toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { getReminderDay } from '@portal/domain/authorisations/request-email.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { findMailbox } from '../mailbox/find-mailbox.ts';

type EmailRow = {
  readonly client_id: string;
  readonly tax: AgentTax;
  readonly kind: RequestEmail['kind'];
  readonly status: RequestEmail['status'];
  readonly to: string | null;
  readonly at: Instant;
  readonly reason: string | null;
  readonly expires_on: PlainDate | null;
  readonly has_reminder: boolean;
};

const SENT_STATUSES: readonly RequestEmail['status'][] = ['sent', 'unknown'];

type Scope = { readonly companyId: string; readonly clientId?: string; readonly tax?: AgentTax };

/** Returns the latest email about each pending request, by client and tax, in one statement for any number of clients. */
export async function loadRequestEmails(
  db: Db | Tx,
  { companyId, clientId, tax }: Scope,
  today: PlainDate,
): Promise<(clientId: string, tax: string) => RequestEmail | null> {
  const isoAt = sql`to_char(coalesce(r.ended_at, e.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const { rows } = await db.execute<EmailRow>(sql`
    select distinct on (e.client_id, e.tax) e.client_id, e.tax, e.kind, coalesce(r.status, e.gap) as status, r.email as to, ${isoAt} as at, r.reason,
      a.expires_on::text as expires_on, exists (select from authorisation_emails n where n.company_id = e.company_id and n.client_id = e.client_id
        and n.tax = e.tax and n.invitation_id = e.invitation_id and n.kind = 'reminder') as has_reminder
    from authorisation_emails e
    join client_authorisations a on a.company_id = e.company_id and a.client_id = e.client_id and a.tax = e.tax
      and a.invitation_id = e.invitation_id and a.status = 'link_sent'
    left join client_message_recipients r on r.company_id = e.company_id and r.message_id = e.message_id and r.client_id = e.client_id
    where e.company_id = ${companyId}::uuid and ${clientId === undefined ? sql`true` : sql`e.client_id = ${clientId}::uuid`}
      and ${tax === undefined ? sql`true` : sql`e.tax = ${tax}`}
    order by e.client_id, e.tax, e.created_at desc, e.kind = 'first', e.id`);
  const isWaiting = rows.some(({ status }) => status === 'queued') && (await findMailbox(db, companyId))?.status === 'lost';
  const emailsByClient = new Map(rows.map((row) => [`${row.client_id} ${row.tax}`, toEmail(row, isWaiting, today)]));
  return (requestClientId, requestTax) => emailsByClient.get(`${requestClientId} ${requestTax}`) ?? null;
}

function toEmail(row: EmailRow, isMailboxLost: boolean, today: PlainDate): RequestEmail {
  const { kind, status, to, at, reason, expires_on: expiresOn, has_reminder: hasReminder } = row;
  const isReminded = !hasReminder && expiresOn !== null && (status === 'queued' || status === 'sending' || SENT_STATUSES.includes(status));
  const remindsOn = isReminded ? (getReminderDay(expiresOn, toLondonDate(at), today) ?? null) : null;
  return { kind, status, to, at, reason, is_waiting: status === 'queued' && isMailboxLost, reminds_on: remindsOn };
}
