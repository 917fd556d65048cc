/** A practice's templates: its own, and the built-in ones with its changes. */
import type { WorkTemplateView, workTemplatesApi } from '@portal/contract/work-templates.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clientMembers, companies, memberships, workTemplates } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { SERVICE_DUTIES, type WorkService } from '@portal/domain/work-items/work-item.ts';
import { BUILT_IN_TEMPLATES, MAX_WORK_TEMPLATES, type WorkTemplate } from '@portal/domain/work-items/work-template.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { createObligationWork } from './create-obligation-work.ts';

type StoredTemplate = typeof workTemplates.$inferSelect;
type WorkTemplateCall = Pick<Call<typeof workTemplatesApi.remove>, 'tenant' | 'actor' | 'caller'>;

const listStoredTemplates = (db: Db | Tx, companyId: string) =>
  db.select().from(workTemplates).where(eq(workTemplates.companyId, companyId)).orderBy(workTemplates.name, workTemplates.key);

/** Built-in templates come first, in their own order. */
export async function listTemplates(db: Db, companyId: string): Promise<WorkTemplateView[]> {
  const storedTemplates = await listStoredTemplates(db, companyId);
  const builtIn = new Set(BUILT_IN_TEMPLATES.map(({ key }) => key));
  return [
    ...BUILT_IN_TEMPLATES.map((template) =>
      toView(
        template,
        storedTemplates.find(({ key }) => key === template.key),
      ),
    ),
    ...storedTemplates.filter(({ key }) => !builtIn.has(key)).map((row) => toView(row, row)),
  ];
}

function toView(first: WorkTemplate, storedTemplate: StoredTemplate | undefined): WorkTemplateView {
  const { key, name, service, steps, trigger } = storedTemplate ?? first;
  const isBuiltIn = BUILT_IN_TEMPLATES.some((item) => item.key === key);
  const formatTemplate = (item: Pick<WorkTemplate, 'name' | 'service' | 'steps' | 'trigger'>) =>
    JSON.stringify([
      item.name,
      item.service,
      item.steps.map(({ title, from, days, checklist }) => [title, from, days, checklist]),
      item.trigger?.tax,
      item.trigger?.kind,
    ]);
  return {
    key,
    name,
    service,
    steps: steps.map((step) => ({ ...step, checklist: [...step.checklist] })),
    trigger: trigger === null ? null : { ...trigger },
    is_built_in: isBuiltIn,
    is_changed: isBuiltIn && storedTemplate !== undefined && formatTemplate(storedTemplate) !== formatTemplate(first),
    is_on: storedTemplate?.isOn ?? false,
    client_tag: storedTemplate?.clientTag ?? null,
  };
}

export async function getTemplate(tx: Tx, companyId: string, key: string): Promise<WorkTemplate> {
  const [storedTemplate] = await tx
    .select()
    .from(workTemplates)
    .where(and(eq(workTemplates.companyId, companyId), eq(workTemplates.key, key)));
  const template = storedTemplate ?? BUILT_IN_TEMPLATES.find((item) => item.key === key);
  if (!template) throw createNotFoundError();
  return template;
}

/** Finds the member with the service's duty for the client, or else the client's manager. */
export async function findOwnerForService(tx: Tx, companyId: string, clientId: string, service: WorkService): Promise<string | null> {
  const duty = SERVICE_DUTIES[service];
  const [owner] = await tx
    .select({ userId: clientMembers.userId })
    .from(clientMembers)
    .innerJoin(memberships, and(eq(memberships.companyId, clientMembers.companyId), eq(memberships.userId, clientMembers.userId)))
    .where(
      and(eq(clientMembers.companyId, companyId), eq(clientMembers.clientId, clientId), sql`${clientMembers.duty} in (${duty}, 'manager')`),
    )
    .orderBy(sql`${clientMembers.duty} <> ${duty}`, clientMembers.assignedAt, clientMembers.userId)
    .limit(1);
  return owner?.userId ?? null;
}

export function saveTemplate(deps: AppDeps, call: Call<typeof workTemplatesApi.save>): Promise<{ done: true }> {
  const { input, tenant } = call;
  const { practiceId: companyId } = tenant;
  const { key, name, service, steps, trigger } = input;
  return deps.database.db.transaction(async (tx) => {
    await lockTemplates(tx, companyId);
    const storedTemplates = await listStoredTemplates(tx, companyId);
    const isNew = !storedTemplates.some((item) => item.key === key);
    if (isNew && storedTemplates.length >= MAX_WORK_TEMPLATES) {
      throw new AppError(
        'conflict',
        'work_template.too_many',
        `A practice can have at most ${MAX_WORK_TEMPLATES} templates. Delete one you don’t need.`,
      );
    }
    const fields = { name, service, steps, trigger, updatedAt: deps.clock.now() };
    // Without an obligation, nothing would trigger the template.
    const switchedOff = trigger === null ? { isOn: false } : {};
    await tx
      .insert(workTemplates)
      .values({ companyId, key, ...fields })
      .onConflictDoUpdate({ target: [workTemplates.companyId, workTemplates.key], set: { ...fields, ...switchedOff } });
    await recordTemplateChange(deps, tx, call, { action: 'work_template.saved', subject: key, after: { name, steps: steps.length } });
    return { done: true };
  });
}

export function removeTemplate(deps: AppDeps, call: Call<typeof workTemplatesApi.remove>): Promise<{ done: true }> {
  const { input, tenant } = call;
  const { practiceId: companyId } = tenant;
  return deps.database.db.transaction(async (tx) => {
    await lockTemplates(tx, companyId);
    const removedTemplates = await tx
      .delete(workTemplates)
      .where(and(eq(workTemplates.companyId, companyId), eq(workTemplates.key, input.key)))
      .returning({ name: workTemplates.name });
    const [template] = removedTemplates;
    if (template)
      await recordTemplateChange(deps, tx, call, { action: 'work_template.removed', subject: input.key, after: { name: template.name } });
    return { done: true };
  });
}

/** Tasks that are due now are created immediately. */
export function setTemplateOn(deps: AppDeps, call: Call<typeof workTemplatesApi.switchOn>): Promise<{ created: number }> {
  const { input, tenant } = call;
  const { practiceId: companyId } = tenant;
  return deps.database.db.transaction(async (tx) => {
    await lockTemplates(tx, companyId);
    const { key, name, service, steps, trigger } = await getTemplate(tx, companyId, input.key);
    if (input.is_on && trigger === null) throw createInvalidFieldError('key', 'Choose an obligation for this template first.');
    const state = { isOn: input.is_on, clientTag: input.client_tag };
    const updatedAt = deps.clock.now();
    await tx
      .insert(workTemplates)
      .values({ companyId, key, name, service, steps, trigger, ...state, updatedAt })
      .onConflictDoUpdate({ target: [workTemplates.companyId, workTemplates.key], set: { ...state, updatedAt } });
    await recordTemplateChange(deps, tx, call, {
      action: input.is_on ? 'work_template.switched_on' : 'work_template.switched_off',
      subject: key,
      after: { name, client_tag: input.client_tag },
    });
    return { created: input.is_on ? await createObligationWork(deps, tx, companyId) : 0 };
  });
}

/** Serialises changes to templates, in case two admins make them at the same time. */
async function lockTemplates(tx: Tx, companyId: string): Promise<void> {
  await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('no key update');
}

type TemplateEntry = { readonly action: string; readonly subject: string; readonly after: object };

function recordTemplateChange(
  { clock }: AppDeps,
  tx: Tx,
  { tenant, actor, caller }: WorkTemplateCall,
  entry: TemplateEntry,
): Promise<void> {
  return recordAudit(tx, { companyId: tenant.practiceId, at: clock.now(), actor: actor.userId, ip: caller.ip, ...entry });
}
