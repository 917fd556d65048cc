/** Plans which clients a rule reminds, of which item and when, or why it doesn't. One statement covers all clients of a practice. */
import type { PlannedReminder } from '@portal/contract/reminder-rules.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { companies, users } from '@portal/db/schema/schema.ts';
import { eq, sql } from '@portal/db/sql.ts';
import { describeDeadline } from '@portal/domain/messages/describe-deadline.ts';
import { listUsedFields, prepareText, type FieldValues, type MessageField } from '@portal/domain/messages/message-fields.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import { addDays, formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { getReminderDay, type ReminderBlocker, type RemindedItem } from '@portal/domain/reminder-rules/reminder-rule.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { isUndeliverable } from '../../mail/undeliverable-addresses.ts';
import { selectClientAddress } from '../messages/client-address-sql.ts';
import { findCurrentAuthor } from '../team/find-current-author.ts';

export type ReminderRuleSettings = {
  readonly companyId: string;
  readonly ruleId: string;
  readonly tax: Tax;
  readonly item: RemindedItem;
  readonly daysBefore: number;
  readonly subject: string;
  readonly body: string;
  readonly authorId: string;
};

export type Reminder = PlannedReminder & {
  readonly key: string;
  /** The text with its fields filled in; null if a field has no value. */
  readonly text: { readonly subject: string; readonly body: string } | null;
};

type PlanningWindow = { readonly today: PlainDate; readonly daysAhead: number };

/** Lists items that the rule will have to remind of by that day and hasn't yet, earliest due first. Completed items aren't due. */
export async function planReminders(db: Db | Tx, rule: ReminderRuleSettings, { today, daysAhead }: PlanningWindow): Promise<Reminder[]> {
  const sharedValues = await loadSharedValues(db, rule);
  const rows = await loadItems(db, rule, { today, until: addDays(today, rule.daysBefore + daysAhead) });
  const deadline = describeDeadline(rule.tax, rule.item);
  const [fillSubject, fillBody] = [prepareText(rule.subject), prepareText(rule.body)];
  const usesAmount = [rule.subject, rule.body].some((text) => listUsedFields(text).includes('amount'));
  // Thousands of items share a few due dates.
  const daysByDueDate = new Map<PlainDate, { remindsOn: PlainDate | undefined; dueText: string }>();
  const getDays = (dueOn: PlainDate) => {
    const days = daysByDueDate.get(dueOn) ?? { remindsOn: getReminderDay(dueOn, rule.daysBefore, today), dueText: formatDate(dueOn) };
    daysByDueDate.set(dueOn, days);
    return days;
  };
  return rows.flatMap((row) => {
    const { client_id: clientId, name, key, due_on: dueOn, amount_pence: pence, email } = row;
    const { remindsOn, dueText } = getDays(dueOn);
    if (remindsOn === undefined) return [];
    const amount = usesAmount && pence !== null ? Number(pence) : null;
    const values: FieldValues = {
      ...sharedValues,
      client: name,
      deadline,
      'due date': dueText,
      amount: amount !== null && amount > 0 ? formatPounds(amount as Pence) : null,
    };
    const [subject, body] = [fillSubject(values), fillBody(values)];
    const missingFields = new Set<MessageField>([
      ...('missing' in subject ? subject.missing : []),
      ...('missing' in body ? body.missing : []),
    ]);
    const blocker = findBlocker(row, missingFields.size > 0);
    const text = blocker === null && 'text' in subject && 'text' in body ? { subject: subject.text, body: body.text } : null;
    return [
      {
        client_id: clientId,
        name,
        deadline,
        due_on: dueOn,
        reminds_on: remindsOn,
        email,
        gap: blocker,
        missing: [...missingFields],
        key,
        text,
      },
    ];
  });
}

type Item = {
  readonly client_id: string;
  readonly name: string;
  readonly key: string;
  readonly due_on: PlainDate;
  readonly amount_pence: string | number | null;
  readonly email: string | null;
  readonly has_own: boolean;
  readonly is_undeliverable: boolean;
};

function findBlocker({ email, has_own: hasOwn, is_undeliverable: isUndelivered }: Item, hasMissing: boolean): ReminderBlocker | null {
  if (email === null) return 'no_email';
  if (isUndelivered) return 'undeliverable';
  return hasOwn ? 'own_reminders' : hasMissing ? 'missing_fields' : null;
}

/**
 * `has_own`: whether someone with the client's email address chose reminders of their own, which include every item
 * (client-portal/due-reminders.ts).
 */
async function loadItems(
  db: Db | Tx,
  rule: ReminderRuleSettings,
  { today, until }: { today: PlainDate; until: PlainDate },
): Promise<Item[]> {
  const { rows } = await db.execute<Item>(sql`
    with items as materialized (
      select d.client_id, c.name, d.key, d.due_on, d.amount_pence, ${selectClientAddress()} as email
      from due_items d
      join clients c on c.company_id = d.company_id and c.id = d.client_id and c.status not in ('inactive', 'closed')
      where d.company_id = ${rule.companyId}::uuid and d.tax = ${rule.tax} and d.what = ${rule.item}
        and d.due_on between ${today}::date and ${until}::date
        and not exists (select from rule_reminders r where r.company_id = d.company_id and r.rule_id = ${rule.ruleId}::uuid
          and r.client_id = d.client_id and r.tax = d.tax and r.key = d.key)
    )
    select i.client_id, i.name, i.key, i.due_on::text as due_on, i.amount_pence, i.email,
      coalesce((i.client_id, lower(i.email)) in (select p.client_id, lower(u.email) from client_people p join users u on u.id = p.user_id
        where p.company_id = ${rule.companyId}::uuid and p.remind_days is not null), false) as has_own,
      ${isUndeliverable(rule.companyId, sql`i.email`)} as is_undeliverable
    from items i order by i.due_on, i.name, i.client_id, i.key`);
  return rows;
}

async function loadSharedValues(
  db: Db | Tx,
  { companyId, authorId }: ReminderRuleSettings,
): Promise<Pick<FieldValues, 'practice' | 'sender'>> {
  const [practiceAndSender] = await db
    .select({ practice: companies.name, sender: users.fullName })
    .from(companies)
    .leftJoin(users, eq(users.id, await findCurrentAuthor(db, companyId, authorId)))
    .where(eq(companies.id, companyId));
  return practiceAndSender ?? { practice: null, sender: null };
}
