/** Sends clients one reminder about a request that is still pending at HMRC (docs/decisions/0068-emailed-authorisation-requests.md). */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { sql } from '@portal/db/sql.ts';
import { REMINDER_DAYS_BEFORE, REMINDER_MIN_DAYS_BEFORE, getReminderDay } from '@portal/domain/authorisations/request-email.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { fetchInvitation } from '../authorisations/fetch-authorisation.ts';
import { storeAuthorisation } from '../authorisations/store-authorisation.ts';
import { withAgentAccessToken } from '../hmrc-connection/with-trader-access-token.ts';
import { isSendingHour } from '../reminder-rules/sending-hours.ts';
import { queueRequestEmail, type RequestKey } from './queue-request-email.ts';

/** If the status is older than this, it is read again from HMRC before the reminder is sent. */
const MAX_STATE_AGE_MS = 86_400_000;
/** HMRC allows three calls a second, and users' own calls must not be delayed. */
const MAX_CHECKS_PER_RUN = 20;
const MAX_REMINDERS_PER_RUN = 1_000;

export async function sendRequestReminders(deps: AppDeps): Promise<void> {
  if (!isSendingHour(deps.clock.now())) return;
  const earliestTime = addMilliseconds(deps.clock.now(), -MAX_STATE_AGE_MS);
  const dueReminders = await listDueReminders(deps);
  const isFresh = ({ checkedAt }: DueReminder): boolean => checkedAt !== null && checkedAt >= earliestTime;
  const pendingReminders = await listStillPending(
    deps,
    dueReminders.filter((request) => !isFresh(request)),
  );
  // One message covers all clients of a practice and tax that are being reminded now.
  const messages = new Map<string, string>();
  await tryEach([...dueReminders.filter(isFresh), ...pendingReminders], (request) => {
    const group = `${request.companyId} ${request.tax} ${request.requestedBy}`;
    const messageId = messages.get(group) ?? randomUUID();
    messages.set(group, messageId);
    return deps.database.db.transaction((tx) => remind(deps, tx, request, messageId));
  });
}

type DueReminder = RequestKey & {
  readonly invitationId: string;
  readonly arn: string | null;
  readonly checkedAt: Instant | null;
  readonly requestedBy: string;
};

/**
 * Lists emailed requests whose reminder is due and unsent, the most recently checked first. The author is the requester, or the owner if
 * the requester has left.
 */
async function listDueReminders({ database: { db }, clock }: AppDeps): Promise<DueReminder[]> {
  const today = clock.today();
  type DueRequest = DueReminder & { readonly expiresOn: PlainDate; readonly emailedOn: PlainDate };
  const { rows } = await db.execute<DueRequest>(sql`
    select a.company_id as "companyId", a.client_id as "clientId", a.tax, a.invitation_id as "invitationId", p.arn,
      to_char(a.checked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "checkedAt", a.expires_on::text as "expiresOn",
      (l.ended_at at time zone 'Europe/London')::date::text as "emailedOn",
      case when exists (select from memberships m where m.company_id = a.company_id and m.user_id = l.requested_by) then l.requested_by
        else coalesce(p.owner_id, l.requested_by) end as "requestedBy"
    from client_authorisations a
    join companies o on o.id = a.company_id and o.closed_at is null
    join practices p on p.company_id = a.company_id
    join clients c on c.company_id = a.company_id and c.id = a.client_id and c.status not in ('inactive', 'closed')
    cross join lateral (
      select e.requested_by, r.ended_at, r.status from authorisation_emails e
      join client_message_recipients r on r.company_id = e.company_id and r.message_id = e.message_id and r.client_id = e.client_id
      where e.company_id = a.company_id and e.client_id = a.client_id and e.tax = a.tax and e.invitation_id = a.invitation_id
      order by e.created_at desc, e.id limit 1) l
    where a.status = 'link_sent' and a.client_action_url is not null and l.status in ('sent', 'unknown') and l.ended_at is not null
      and a.expires_on between ${addDays(today, REMINDER_MIN_DAYS_BEFORE)}::date and ${addDays(today, REMINDER_DAYS_BEFORE)}::date
      and not exists (select from authorisation_emails n where n.company_id = a.company_id and n.client_id = a.client_id and n.tax = a.tax
        and n.invitation_id = a.invitation_id and n.kind = 'reminder')
    order by a.checked_at desc nulls last, a.company_id, a.client_id, a.tax limit ${MAX_REMINDERS_PER_RUN}`);
  return rows.filter(({ expiresOn, emailedOn }) => getReminderDay(expiresOn, emailedOn, today) === today);
}

/** Returns the requests that are still pending at HMRC. If a practice's connection or HMRC's service fails, the next run tries again. */
async function listStillPending(deps: AppDeps, requests: readonly DueReminder[]): Promise<DueReminder[]> {
  const failedPractices = new Set<string>();
  const dueReminders: DueReminder[] = [];
  let calls = 0;
  for (const request of requests) {
    if (calls === MAX_CHECKS_PER_RUN) break;
    const { companyId, clientId, tax, invitationId, arn } = request;
    if (arn === null || failedPractices.has(companyId)) continue;
    try {
      const foundStatuses = await withAgentAccessToken(deps, companyId, {}, (call) => {
        calls += 1;
        return fetchInvitation(deps.hmrcAgent, call, arn, invitationId);
      });
      const state = foundStatuses ?? { status: 'expired' as const, refusal: null };
      const reason = { actor: 'hmrc', action: 'authorisation.checked' };
      await deps.database.db.transaction((tx) =>
        storeAuthorisation(deps, tx, { companyId, clientId, tax, pendingId: invitationId }, state, reason),
      );
      if (state.status === 'link_sent') dueReminders.push(request);
    } catch (error) {
      if (!(error instanceof ProviderError || error instanceof AppError)) throw error;
      failedPractices.add(companyId);
      deps.logger.warn({ err: error, companyId }, 'a request could not be checked at HMRC before its reminder');
    }
  }
  return dueReminders;
}

/** Two instances wait for each other at the request's row, so the second finds the reminder or the client's response. */
async function remind(
  deps: AppDeps,
  tx: Tx,
  { companyId, clientId, tax, invitationId, requestedBy }: DueReminder,
  messageId: string,
): Promise<void> {
  const { rows } = await tx.execute(sql`
    select from client_authorisations where company_id = ${companyId}::uuid and client_id = ${clientId}::uuid and tax = ${tax}
      and status = 'link_sent' and invitation_id = ${invitationId} for update`);
  if (rows.length === 0) return;
  await queueRequestEmail(deps, tx, { companyId, clientId, tax }, { kind: 'reminder', requestedBy, messageId, actor: 'rules' });
}
