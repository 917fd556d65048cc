/**
 * Creates tasks for obligations whose period has ended, and completes those whose return HMRC has, with one statement each for all clients
 * of a practice. A unique index stops an obligation from creating the same step twice.
 */
import type { Tx } from '@portal/db/database.ts';
import { companies } from '@portal/db/schema/schema.ts';
import { eq, sql } from '@portal/db/sql.ts';
import { SERVICE_DUTIES } from '@portal/domain/work-items/work-item.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { recordAudit } from '../audit/record-audit.ts';

/**
 * Returns how many tasks were created. HMRC calls a Self Assessment return a final declaration, while our rule calls it a return. The task
 * has the template's kind, so that both are the same obligation.
 */
export async function createObligationWork(deps: AppDeps, tx: Tx, companyId: string): Promise<number> {
  const [today, now] = [deps.clock.today(), deps.clock.now()];
  const { rows } = await tx.execute<{ clients: string[] | null; tasks: number }>(sql`
    with steps as (
      select t.key, t.service, t.client_tag, t.trigger ->> 'tax' as tax, t.trigger ->> 'kind' as kind, s.step, s.number::int - 1 as number
      from work_templates t, jsonb_array_elements(t.steps) with ordinality as s(step, number)
      where t.company_id = ${companyId}::uuid and t.is_on and t.trigger is not null
    ), created as (
      insert into work_items (company_id, id, client_id, title, service, due_on, owner_id, checklist, created_at, updated_at,
        template_key, step, tax, kind, period_end)
      select d.company_id, gen_random_uuid(), d.client_id, (s.step ->> 'title') || ' (to ' || to_char(d.period_end, 'FMDD Mon YYYY') || ')', s.service,
        case s.step ->> 'from' when 'period_end' then d.period_end else d.due_on end + (s.step ->> 'days')::int,
        (select m.user_id from client_members m
          join memberships p on p.company_id = m.company_id and p.user_id = m.user_id
          where m.company_id = d.company_id and m.client_id = d.client_id and m.duty in (duties.duty, 'manager')
          order by m.duty <> duties.duty, m.assigned_at, m.user_id limit 1),
        (select coalesce(jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'text', line.text, 'is_done', false) order by line.number), '[]')
          from jsonb_array_elements_text(s.step -> 'checklist') with ordinality as line(text, number)),
        ${now}::timestamptz, ${now}::timestamptz, s.key, s.number, d.tax, s.kind, d.period_end
      from steps s
      join jsonb_each_text(${JSON.stringify(SERVICE_DUTIES)}::jsonb) as duties(service, duty) on duties.service = s.service
      join due_items d on d.company_id = ${companyId}::uuid and d.tax = s.tax and d.what = 'return'
        and (d.kind = s.kind or (s.kind = 'return' and d.kind = 'final_declaration'))
        and d.period_end is not null and d.period_end <= ${today}::date
      join clients c on c.company_id = d.company_id and c.id = d.client_id and c.status not in ('inactive', 'closed')
        and (s.client_tag is null or c.tags @> jsonb_build_array(s.client_tag))
      on conflict do nothing
      returning client_id
    )
    select array_agg(distinct client_id::text) as clients, count(*)::int as tasks from created`);
  const [{ clients, tasks } = { clients: null, tasks: 0 }] = rows;
  if (clients !== null && clients.length > 0) {
    await recordByRule(deps, tx, companyId, { actor: 'rules', action: 'work.created_by_obligation', clients, tasks });
  }
  return tasks;
}

/** Completes tasks based on HMRC's records: the return for the task's period has been filed. */
export async function finishFiledWork(deps: AppDeps, tx: Tx, companyId: string): Promise<number> {
  const now = deps.clock.now();
  const { rows } = await tx.execute<{ clients: string[] | null; tasks: number }>(sql`
    with finished as (
      update work_items w set status = 'done', done_at = ${now}::timestamptz, done_by = null, version = w.version + 1,
        updated_at = ${now}::timestamptz
      from tax_positions p
      where w.company_id = ${companyId}::uuid and w.template_key is not null and w.status <> 'done' and w.removed_at is null
        and p.company_id = w.company_id and p.client_id = w.client_id and p.tax = w.tax
        and (
          (w.kind <> 'quarterly_update' and p.detail -> 'periods' @> jsonb_build_array(jsonb_build_object('end', w.period_end, 'return_state', 'filed')))
          or (w.kind = 'quarterly_update'
            and p.detail -> 'quarterly_updates' @> jsonb_build_array(jsonb_build_object('end', w.period_end, 'state', 'filed')))
        )
      returning w.client_id
    )
    select array_agg(distinct client_id::text) as clients, count(*)::int as tasks from finished`);
  const [{ clients, tasks } = { clients: null, tasks: 0 }] = rows;
  if (clients !== null && clients.length > 0) {
    await recordByRule(deps, tx, companyId, { actor: 'hmrc', action: 'work.done_by_filing', clients, tasks });
  }
  return tasks;
}

/** Covers every practice that has active templates or tasks from obligations, each in its own transaction. */
export async function sweepWork(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const { rows } = await db.execute<{ id: string }>(sql`
    select c.id from companies c where c.kind = 'practice' and c.closed_at is null and (
      exists (select from work_templates t where t.company_id = c.id and t.is_on)
      or exists (select from work_items w where w.company_id = c.id and w.template_key is not null)
    ) order by c.id`);
  await tryEach(rows, ({ id }) => updateWork(deps, id));
}

export function updateWork(deps: AppDeps, companyId: string): Promise<void> {
  return deps.database.db.transaction(async (tx) => {
    // Locks the company, as turning on a template does, so that the two are serialised.
    await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('no key update');
    await createObligationWork(deps, tx, companyId);
    await finishFiledWork(deps, tx, companyId);
  });
}

type WorkEntry = {
  readonly actor: 'rules' | 'hmrc';
  readonly action: string;
  readonly clients: readonly string[];
  readonly tasks: number;
};

/** Each client's timeline finds the entry by the client ids in it. */
function recordByRule({ clock }: AppDeps, tx: Tx, companyId: string, { actor, action, clients, tasks }: WorkEntry): Promise<void> {
  return recordAudit(tx, {
    companyId,
    at: clock.now(),
    actor,
    action,
    subject: `${tasks} tasks`,
    after: { client_ids: clients },
  });
}
