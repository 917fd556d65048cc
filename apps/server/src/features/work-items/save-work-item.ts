/** Creates and changes individual tasks. */
import { createHash, randomUUID } from 'node:crypto';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { workItemsApi } from '@portal/contract/work-items.ts';
import type { Tx } from '@portal/db/database.ts';
import { workItems } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import type { WorkStatus } from '@portal/domain/work-items/work-item.ts';
import { getStepDueOn } from '@portal/domain/work-items/work-template.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { notifyOwner } from './notify-owner.ts';
import { assertMayOwn, assertSeesClient, lockWorkItem } from './visible-work-items.ts';
import { findOwnerForService, getTemplate } from './work-templates.ts';

type WorkItemCall = Pick<Call<typeof workItemsApi.check>, 'tenant' | 'actor' | 'caller'>;
type DoneResult = { done: true };
type Item = typeof workItems.$inferSelect;

export function createWorkItem(deps: AppDeps, call: Call<typeof workItemsApi.create>): Promise<DoneResult> {
  const { input, tenant, actor } = call;
  const { practiceId: companyId } = tenant;
  const clientId = input.client_id ?? null;
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    await assertSeesClient(tx, companyId, actor, clientId);
    await assertMayOwn(tx, companyId, input.owner_id, [clientId]);
    const insertedItems = await tx
      .insert(workItems)
      .values({
        companyId,
        id: input.item_id,
        clientId,
        title: input.title,
        notes: input.notes,
        service: input.service,
        dueOn: input.due_on ?? NEVER_DUE,
        ownerId: input.owner_id,
        checklist: input.checklist,
        createdBy: actor.userId,
        createdAt: at,
        updatedAt: at,
      })
      .onConflictDoNothing()
      .returning({ id: workItems.id });
    if (insertedItems.length === 0) {
      // The same request, repeated, or an id that someone else has used.
      await lockWorkItem(tx, companyId, actor, input.item_id);
      return { done: true };
    }
    await recordWork(deps, tx, call, {
      action: 'work.created',
      item: { id: input.item_id, clientId, title: input.title },
    });
    await notifyOwner(deps, tx, call, {
      ownerId: input.owner_id,
      items: [{ id: input.item_id, clientId, title: input.title, version: 1 }],
    });
    return { done: true };
  });
}

/** The ids are derived from the request's, so that a repeated request doesn't create anything. */
export function createFromTemplate(
  deps: AppDeps,
  call: Call<typeof workItemsApi.createFromTemplate>,
): Promise<EndpointOutput<typeof workItemsApi.createFromTemplate>> {
  const { input, tenant, actor } = call;
  const { practiceId: companyId } = tenant;
  const clientId = input.client_id ?? null;
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    await assertSeesClient(tx, companyId, actor, clientId);
    const template = await getTemplate(tx, companyId, input.template_key);
    const ownerId = clientId === null ? actor.userId : await findOwnerForService(tx, companyId, clientId, template.service);
    const rows = template.steps.map((step, index) => ({
      companyId,
      id: toStepId(companyId, input.request_id, index),
      clientId,
      title: step.title,
      service: template.service,
      dueOn: getStepDueOn(step, input.day),
      ownerId,
      checklist: step.checklist.map((text) => ({ id: randomUUID(), text, is_done: false })),
      createdBy: actor.userId,
      createdAt: at,
      updatedAt: at,
    }));
    const insertedItems = await tx.insert(workItems).values(rows).onConflictDoNothing().returning({ id: workItems.id });
    if (insertedItems.length > 0) {
      const item = { id: toStepId(companyId, input.request_id, 0), clientId, title: template.name };
      await recordWork(deps, tx, call, { action: 'work.created_from_template', item });
    }
    return { created: insertedItems.length };
  });
}

function toStepId(companyId: string, requestId: string, index: number): string {
  const hex = createHash('sha256').update(`${companyId} ${requestId} ${index}`).digest('hex');
  // Marked as a UUID of version 8, whose bits the application chooses (RFC 9562 section 5.8).
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function saveWorkItem(deps: AppDeps, call: Call<typeof workItemsApi.save>): Promise<DoneResult> {
  const { input, tenant, actor } = call;
  const { practiceId: companyId } = tenant;
  return deps.database.db.transaction(async (tx) => {
    const existing = await lockWorkItem(tx, companyId, actor, input.item_id);
    if (existing.version !== input.version) {
      throw new AppError(
        'conflict',
        'work_item.changed_since',
        'Someone changed this task since you opened it, so your changes weren’t saved. Reload the page and make them again.',
      );
    }
    if (input.owner_id !== existing.ownerId) await assertMayOwn(tx, companyId, input.owner_id, [existing.clientId]);
    await tx
      .update(workItems)
      .set({
        title: input.title,
        notes: input.notes,
        service: input.service,
        dueOn: input.due_on ?? NEVER_DUE,
        ownerId: input.owner_id,
        checklist: input.checklist,
        ...toStatusChange(deps, existing, input.status, actor.userId),
        version: sql`${workItems.version} + 1`,
        updatedAt: deps.clock.now(),
      })
      .where(isItem(existing));
    const isFinished = input.status === 'done' && existing.status !== 'done';
    const item = { ...existing, title: input.title };
    await recordWork(deps, tx, call, {
      action: isFinished ? 'work.done' : 'work.changed',
      item,
      before: toAuditValues(existing),
      after: toAuditValues({ ...existing, status: input.status, ownerId: input.owner_id, dueOn: input.due_on ?? NEVER_DUE }),
    });
    if (input.owner_id !== existing.ownerId)
      await notifyOwner(deps, tx, call, { ownerId: input.owner_id, items: [{ ...existing, title: input.title }] });
    return { done: true };
  });
}

function toStatusChange({ clock }: AppDeps, previous: Item, status: WorkStatus, userId: string) {
  if (status === previous.status) return {};
  return status === 'done' ? { status, doneAt: clock.now(), doneBy: userId } : { status, doneAt: null, doneBy: null };
}

const toAuditValues = ({ status, ownerId, dueOn }: Pick<Item, 'status' | 'ownerId' | 'dueOn'>) => ({
  status,
  owner_id: ownerId,
  due_on: dueOn,
});

/** Locked, so that two members can tick items at the same time. */
export function tickChecklistLine(deps: AppDeps, call: Call<typeof workItemsApi.check>): Promise<DoneResult> {
  const { input, tenant, actor } = call;
  return deps.database.db.transaction(async (tx) => {
    const existing = await lockWorkItem(tx, tenant.practiceId, actor, input.item_id);
    const line = existing.checklist.find(({ id }) => id === input.line_id);
    if (!line) throw createNotFoundError();
    if (line.is_done === input.is_done) return { done: true };
    const checklist = existing.checklist.map((item) => (item.id === line.id ? { ...item, is_done: input.is_done } : item));
    await tx
      .update(workItems)
      .set({ checklist, version: sql`${workItems.version} + 1`, updatedAt: deps.clock.now() })
      .where(isItem(existing));
    await recordAudit(tx, {
      companyId: tenant.practiceId,
      at: deps.clock.now(),
      actor: actor.userId,
      ip: call.caller.ip,
      action: input.is_done ? 'work.line_checked' : 'work.line_unchecked',
      subject: existing.id,
      after: { line: line.text },
    });
    return { done: true };
  });
}

const isItem = ({ companyId, id }: Item) => and(eq(workItems.companyId, companyId), eq(workItems.id, id));

type WorkEntry = {
  readonly action: string;
  readonly item: Pick<Item, 'id' | 'clientId' | 'title'>;
  readonly before?: object;
  readonly after?: object;
};

/** The client's timeline finds the entry by the client's id in it. */
export async function recordWork(deps: AppDeps, tx: Tx, { tenant, actor, caller }: WorkItemCall, entry: WorkEntry): Promise<void> {
  const { id, clientId, title } = entry.item;
  await recordAudit(tx, {
    companyId: tenant.practiceId,
    at: deps.clock.now(),
    actor: actor.userId,
    ip: caller.ip,
    action: entry.action,
    subject: id,
    ...(entry.before === undefined ? {} : { before: entry.before }),
    after: { ...entry.after, title, ...(clientId === null ? {} : { client_ids: [clientId] }) },
  });
}
