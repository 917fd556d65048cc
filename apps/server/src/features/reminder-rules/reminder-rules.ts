/** An admin's rules that remind clients. A new rule is off until someone has checked whom it would remind and turns it on. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { ReminderRule, reminderRulesApi } from '@portal/contract/reminder-rules.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { companies, reminderRules, ruleReminders, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, isNull, sql } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { MAX_REMINDER_RULES, PREVIEW_DAYS } from '@portal/domain/reminder-rules/reminder-rule.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { planReminders } from './plan-reminders.ts';

type DoneResult = { done: true };
type ReminderRuleCall = Pick<Call<typeof reminderRulesApi.save>, 'tenant' | 'actor' | 'caller'>;

const MAX_PLANNED = 100;
const COUNT_WINDOW_MS = 30 * 86_400_000;

export async function listRules({ database: { db }, clock }: AppDeps, companyId: string): Promise<ReminderRule[]> {
  const since = addMilliseconds(clock.now(), -COUNT_WINDOW_MS);
  return db
    .select({
      rule_id: reminderRules.id,
      name: reminderRules.name,
      tax: reminderRules.tax,
      item: reminderRules.item,
      days_before: reminderRules.daysBefore,
      escalate_days: reminderRules.escalateDays,
      subject: reminderRules.subject,
      body: reminderRules.body,
      is_on: reminderRules.isOn,
      version: reminderRules.version,
      author: users.fullName,
      updated_at: reminderRules.updatedAt,
      reminded: sql`(select count(*) from ${ruleReminders} where ${ruleReminders.companyId} = ${reminderRules.companyId}
        and ${ruleReminders.ruleId} = ${reminderRules.id} and ${ruleReminders.remindedAt} > ${since}::timestamptz)`.mapWith(Number),
    })
    .from(reminderRules)
    .innerJoin(users, eq(users.id, reminderRules.authorId))
    .where(and(eq(reminderRules.companyId, companyId), isNull(reminderRules.removedAt)))
    .orderBy(asc(reminderRules.name), asc(reminderRules.id));
}

export async function previewRule(
  { database: { db }, clock }: AppDeps,
  { input, tenant, actor }: Call<typeof reminderRulesApi.preview>,
): Promise<EndpointOutput<typeof reminderRulesApi.preview>> {
  const { rule_id: ruleId, tax, item, days_before: daysBefore, subject, body } = input;
  const rule = { companyId: tenant.practiceId, ruleId, tax, item, daysBefore, subject, body, authorId: actor.userId };
  const today = clock.today();
  const plannedReminders = await planReminders(db, rule, { today, daysAhead: PREVIEW_DAYS });
  const sendableReminders = plannedReminders.filter(({ gap }) => gap === null);
  const [first] = sendableReminders;
  return {
    reminders: sendableReminders.length,
    today: sendableReminders.filter(({ reminds_on: day }) => day === today).length,
    left_out: plannedReminders.length - sendableReminders.length,
    planned: plannedReminders.slice(0, MAX_PLANNED).map(({ key: _key, text: _text, ...shownFields }) => shownFields),
    sample: first?.text ? { name: first.name, ...first.text } : null,
  };
}

export function saveRule(deps: AppDeps, call: Call<typeof reminderRulesApi.save>): Promise<DoneResult> {
  const { input, tenant, actor } = call;
  const companyId = tenant.practiceId;
  const { rule_id: id, version, name, tax, item, days_before: daysBefore, escalate_days: escalateDays, subject, body } = input;
  if (escalateDays !== null && escalateDays >= daysBefore) {
    const message = 'Notify your team member closer to the deadline than the client reminder.';
    throw new AppError('invalid', 'input.invalid', message, { field: 'escalate_days' });
  }
  return deps.database.db.transaction(async (tx) => {
    await lockRules(tx, companyId);
    const storedRule = await findRule(tx, companyId, id);
    const fields = { name, tax, item, daysBefore, escalateDays, subject, body };
    const isSame = storedRule && Object.entries(fields).every(([field, value]) => storedRule[field as keyof typeof fields] === value);
    // The same request, repeated.
    if (isSame) return { done: true };
    if ((storedRule?.version ?? 0) !== version) {
      const message =
        'Someone changed or deleted this rule since you opened it, so your changes weren’t saved. Reload and make them again.';
      throw new AppError('conflict', 'reminder_rule.changed_since', message);
    }
    const isOther = and(eq(reminderRules.companyId, companyId), isNull(reminderRules.removedAt));
    if (!storedRule && (await tx.$count(reminderRules, isOther)) >= MAX_REMINDER_RULES) {
      throw new AppError(
        'conflict',
        'reminder_rule.too_many',
        `A practice can have at most ${MAX_REMINDER_RULES} rules. Delete one you don’t need.`,
      );
    }
    const row = { ...fields, version: version + 1, authorId: actor.userId, updatedAt: deps.clock.now() };
    await tx
      .insert(reminderRules)
      .values({ companyId, id, ...row })
      .onConflictDoUpdate({ target: [reminderRules.companyId, reminderRules.id], set: row });
    await recordRuleChange(deps, tx, call, { action: 'reminder_rule.saved', subject: id, after: { ...fields, version: version + 1 } });
    return { done: true };
  });
}

export function setRuleOn(deps: AppDeps, call: Call<typeof reminderRulesApi.switchOn>): Promise<DoneResult> {
  const { input, tenant, actor } = call;
  const companyId = tenant.practiceId;
  return changeRule(deps, call, input.rule_id, async (tx, { name, isOn }) => {
    if (isOn === input.is_on) return;
    await tx
      .update(reminderRules)
      .set({ isOn: input.is_on, authorId: actor.userId, updatedAt: deps.clock.now() })
      .where(and(eq(reminderRules.companyId, companyId), eq(reminderRules.id, input.rule_id)));
    const action = input.is_on ? 'reminder_rule.switched_on' : 'reminder_rule.switched_off';
    await recordRuleChange(deps, tx, call, { action, subject: input.rule_id, after: { name } });
    if (!input.is_on) return;
    const rule = { company_id: companyId, rule_id: input.rule_id };
    await deps.enqueue(tx, 'reminder-rules.run', rule, { singletonKey: `reminder-rules.run:${input.rule_id}` });
  });
}

/** Keeps the row, because its messages belong to it, but it has no further effect. */
export function removeRule(deps: AppDeps, call: Call<typeof reminderRulesApi.remove>): Promise<DoneResult> {
  const { input, tenant } = call;
  return changeRule(deps, call, input.rule_id, async (tx, { name }) => {
    await tx
      .update(reminderRules)
      .set({ isOn: false, removedAt: deps.clock.now() })
      .where(and(eq(reminderRules.companyId, tenant.practiceId), eq(reminderRules.id, input.rule_id)));
    await recordRuleChange(deps, tx, call, { action: 'reminder_rule.removed', subject: input.rule_id, after: { name } });
  });
}

type Rule = typeof reminderRules.$inferSelect;

function changeRule(
  deps: AppDeps,
  { tenant }: ReminderRuleCall,
  id: string,
  apply: (tx: Tx, rule: Rule) => Promise<void>,
): Promise<DoneResult> {
  return deps.database.db.transaction(async (tx) => {
    await lockRules(tx, tenant.practiceId);
    const rule = await findRule(tx, tenant.practiceId, id);
    if (!rule) throw createNotFoundError();
    await apply(tx, rule);
    return { done: true };
  });
}

async function findRule(db: Db | Tx, companyId: string, id: string): Promise<Rule | undefined> {
  const isThis = and(eq(reminderRules.companyId, companyId), eq(reminderRules.id, id), isNull(reminderRules.removedAt));
  const [rule] = await db.select().from(reminderRules).where(isThis);
  return rule;
}

/** Serialises changes to the rules, in case two admins make them at the same time. */
async function lockRules(tx: Tx, companyId: string): Promise<void> {
  await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('no key update');
}

type RuleEntry = { readonly action: string; readonly subject: string; readonly after: object };

function recordRuleChange({ clock }: AppDeps, tx: Tx, { tenant, actor, caller }: ReminderRuleCall, entry: RuleEntry): Promise<void> {
  return recordAudit(tx, { companyId: tenant.practiceId, at: clock.now(), actor: actor.userId, ip: caller.ip, ...entry });
}
