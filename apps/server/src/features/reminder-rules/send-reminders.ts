/**
 * Sends due reminders as messages to clients: fixed texts, each item once, shown on the client's timeline. Later notifies the responsible
 * practice member if the client hasn't acted.
 */
import { randomUUID } from 'node:crypto';
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientMessageRecipients, clientMessages, companies, reminderRules, ruleReminders } from '@portal/db/schema/schema.ts';
import { and, asc, eq, isNull, sql } from '@portal/db/sql.ts';
import { describeDeadline } from '@portal/domain/messages/describe-deadline.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { TAX_DUTIES } from '@portal/domain/reminder-rules/reminder-rule.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { JobPayloads } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueSending } from '../messages/enqueue-sending.ts';
import { listAdminIds, notify } from '../staff-notifications/notify.ts';
import { findCurrentAuthor } from '../team/find-current-author.ts';
import { planReminders } from './plan-reminders.ts';
import { isSendingHour } from './sending-hours.ts';

type Rule = typeof reminderRules.$inferSelect;

const INSERT_SIZE = 500;

export async function sendReminders(deps: AppDeps): Promise<void> {
  if (!isSendingHour(deps.clock.now())) return;
  const { db } = deps.database;
  const rules = await db
    .select({ companyId: reminderRules.companyId, id: reminderRules.id })
    .from(reminderRules)
    .innerJoin(companies, and(eq(companies.id, reminderRules.companyId), isNull(companies.closedAt)))
    .where(and(eq(reminderRules.isOn, true), isNull(reminderRules.removedAt)))
    .orderBy(asc(reminderRules.companyId), asc(reminderRules.id));
  await tryEach(rules, ({ companyId, id }) => db.transaction((tx) => runRule(deps, tx, companyId, id)));
}

/** Sends what is due under a rule that was just switched on. At night, the sweep sends it in the morning. */
export async function sendRuleReminders(deps: AppDeps, rule: JobPayloads['reminder-rules.run']): Promise<void> {
  if (!isSendingHour(deps.clock.now())) return;
  await deps.database.db.transaction((tx) => runRule(deps, tx, rule.company_id, rule.rule_id));
}

async function runRule(deps: AppDeps, tx: Tx, companyId: string, id: string): Promise<void> {
  const isThis = and(eq(reminderRules.companyId, companyId), eq(reminderRules.id, id), eq(reminderRules.isOn, true));
  // Instances wait here for each other, so the second sees which reminders the first has sent.
  const [rule] = await tx.select().from(reminderRules).where(isThis).for('update');
  if (!rule || rule.removedAt !== null) return;
  await remind(deps, tx, rule);
  await escalateReminder(deps, tx, rule);
}

async function remind(deps: AppDeps, tx: Tx, rule: Rule): Promise<void> {
  const { companyId, id: ruleId } = rule;
  const [today, at] = [deps.clock.today(), deps.clock.now()];
  const plannedReminders = await planReminders(tx, { ...rule, ruleId }, { today, daysAhead: 0 });
  const dueReminders = plannedReminders.filter(({ reminds_on: day }) => day <= today);
  const outgoingMessages = dueReminders.flatMap((reminder) =>
    reminder.text === null || reminder.email === null ? [] : [{ ...reminder, ...reminder.text, email: reminder.email }],
  );
  if (outgoingMessages.length === 0) return;
  const messageId = randomUUID();
  const { subject, body } = rule;
  await tx.insert(clientMessages).values({
    companyId,
    id: messageId,
    subject,
    body,
    createdBy: await findCurrentAuthor(tx, companyId, rule.authorId),
    createdAt: at,
    sendAt: at,
    leftOut: dueReminders.length - outgoingMessages.length,
  });
  // A client with two items under one rule gets the text about the first. Both count as reminded.
  const first = [...new Map(outgoingMessages.toReversed().map((reminder) => [reminder.client_id, reminder])).values()].toReversed();
  const recipients = first.map((reminder, position) => ({
    companyId,
    messageId,
    clientId: reminder.client_id,
    position,
    email: reminder.email,
    subject: reminder.subject,
    body: reminder.body,
    status: 'queued' as const,
  }));
  const remindedItems = outgoingMessages.map(({ client_id: clientId, key, due_on: dueOn }) => {
    return { companyId, ruleId, clientId, tax: rule.tax, key, dueOn, messageId, remindedAt: at };
  });
  for (let start = 0; start < recipients.length; start += INSERT_SIZE) {
    await tx.insert(clientMessageRecipients).values(recipients.slice(start, start + INSERT_SIZE));
  }
  for (let start = 0; start < remindedItems.length; start += INSERT_SIZE) {
    await tx.insert(ruleReminders).values(remindedItems.slice(start, start + INSERT_SIZE));
  }
  const after = { rule: rule.name, message: messageId, recipients: recipients.length };
  await recordAudit(tx, { companyId, at, actor: 'rules', action: 'reminder_rule.reminded', subject: ruleId, after });
  await enqueueSending(deps, tx, companyId);
}

type MissedItem = {
  readonly client_id: string;
  readonly name: string;
  readonly key: string;
  readonly due_on: PlainDate;
  readonly user_id: string | null;
};

/** A completed item is no longer in the list of due items. */
async function escalateReminder(
  deps: AppDeps,
  tx: Tx,
  { companyId, id: ruleId, tax, item, escalateDays, name: rule }: Rule,
): Promise<void> {
  if (escalateDays === null) return;
  const [today, at] = [deps.clock.today(), deps.clock.now()];
  const { rows } = await tx.execute<MissedItem>(sql`
    with undone as (
      update rule_reminders r set escalated_at = ${at}::timestamptz
      from due_items d join clients c on c.company_id = d.company_id and c.id = d.client_id and c.status not in ('inactive', 'closed')
      where r.company_id = ${companyId}::uuid and r.rule_id = ${ruleId}::uuid and r.escalated_at is null
        and d.company_id = r.company_id and d.client_id = r.client_id and d.tax = r.tax and d.key = r.key
        and d.due_on >= ${today}::date and d.due_on - ${escalateDays}::int <= ${today}::date
      returning r.client_id, c.name, r.key, d.due_on::text as due_on
    )
    select u.*, (select m.user_id from client_members m join memberships p on p.company_id = m.company_id and p.user_id = m.user_id
      where m.company_id = ${companyId}::uuid and m.client_id = u.client_id and m.duty in (${TAX_DUTIES[tax]}, 'manager')
      order by m.duty <> ${TAX_DUTIES[tax]}, m.assigned_at, m.user_id limit 1) as user_id
    from undone u order by u.due_on, u.name`);
  if (rows.length === 0) return;
  const admins = await listAdminIds(tx, companyId);
  await notify(
    deps,
    tx,
    companyId,
    rows.map(({ client_id: clientId, name, key, due_on: dueOn, user_id: userId }) => ({
      kind: 'client_not_done',
      key: `${ruleId} ${clientId} ${key}`,
      clientId,
      title: `${name} was reminded (${rule}), but the ${describeDeadline(tax, item)} due on ${formatDate(dueOn)} still hasn’t been done`,
      path: getClientPath(companyId, clientId, tax),
      userIds: userId === null ? admins : [userId],
    })),
  );
}

const getClientPath = (companyId: string, clientId: string, tax: Tax): string =>
  `${PAGES.clientDashboard.path}?company_id=${companyId}&client_id=${clientId}&tab=${tax}`;
