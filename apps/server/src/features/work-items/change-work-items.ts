/** Reassigns, moves or deletes several selected tasks, and undoes such a change. Uses a few statements for any number of tasks. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { ReplacedWorkItems, workItemsApi } from '@portal/contract/work-items.ts';
import type { Tx } from '@portal/db/database.ts';
import { isInIdList } from '@portal/db/in-id-list.ts';
import { workItems } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, sql } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { notifyOwner } from './notify-owner.ts';
import { assertMayOwn, isVisibleWork } from './visible-work-items.ts';

type Item = typeof workItems.$inferSelect;

export function changeWorkItems(
  deps: AppDeps,
  call: Call<typeof workItemsApi.change>,
): Promise<EndpointOutput<typeof workItemsApi.change>> {
  const { input, tenant, actor } = call;
  const { practiceId: companyId } = tenant;
  if (input.status === undefined && input.owner_id === undefined && input.remove === undefined) {
    throw new AppError('invalid', 'input.invalid', 'Choose what to change: status, owner or removal.');
  }
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    const lockedItems = (await lockItems(tx, companyId, actor, input.item_ids)).filter(({ removedAt }) => removedAt === null);
    const clientIds = lockedItems.map(({ clientId }) => clientId);
    if (input.owner_id !== undefined) await assertMayOwn(tx, companyId, input.owner_id, clientIds);
    const changedItems = lockedItems.filter(
      (item) =>
        input.remove === true ||
        (input.status !== undefined && item.status !== input.status) ||
        (input.owner_id !== undefined && item.ownerId !== input.owner_id),
    );
    const ids = changedItems.map(({ id }) => id);
    await tx
      .update(workItems)
      .set({
        ...(input.owner_id === undefined ? {} : { ownerId: input.owner_id }),
        ...(input.remove === undefined ? {} : { removedAt: at }),
        ...(input.status === undefined
          ? {}
          : input.status === 'done'
            ? { status: 'done' as const, doneAt: sql`coalesce(${workItems.doneAt}, ${at}::timestamptz)`, doneBy: actor.userId }
            : { status: input.status, doneAt: null, doneBy: null }),
        version: sql`${workItems.version} + 1`,
        updatedAt: at,
      })
      .where(and(eq(workItems.companyId, companyId), isInIdList(workItems.id, ids)));
    await recordWorkChange(deps, tx, call, { action: toAction(call.input), items: changedItems, after: toAuditValues(call.input) });
    if (input.owner_id !== undefined)
      await notifyOwner(deps, tx, call, {
        ownerId: input.owner_id,
        items: changedItems.filter(({ ownerId }) => ownerId !== input.owner_id),
      });
    return { replaced: changedItems.map(toReplacedItem), not_found: new Set(input.item_ids).size - lockedItems.length };
  });
}

function toAction({ remove, status }: Call<typeof workItemsApi.change>['input']): string {
  if (remove === true) return 'work.removed';
  return status === 'done' ? 'work.done' : status === undefined ? 'work.assigned' : 'work.changed';
}

const toAuditValues = ({ status, owner_id: ownerId }: Call<typeof workItemsApi.change>['input']) => ({
  ...(status === undefined ? {} : { status }),
  ...(ownerId === undefined ? {} : ownerId === null ? { owner_id: null } : { user_id: ownerId }),
});

/** Returns the earlier values, with the version number after the change. */
const toReplacedItem = (item: Item): ReplacedWorkItems => ({
  item_id: item.id,
  version: item.version + 1,
  status: item.status,
  owner_id: item.ownerId,
  due_on: item.dueOn === NEVER_DUE ? null : item.dueOn,
  is_removed: item.removedAt !== null,
});

/** Restores what a change replaced, if the task hasn’t changed since and the previous owner can still own it. */
export function restoreWorkItems(
  deps: AppDeps,
  call: Call<typeof workItemsApi.restore>,
): Promise<EndpointOutput<typeof workItemsApi.restore>> {
  const { input, tenant, actor } = call;
  const { practiceId: companyId } = tenant;
  const replacedItems = new Map(input.replaced.map((item) => [item.item_id, item]));
  return deps.database.db.transaction(async (tx) => {
    const lockedItems = await lockItems(tx, companyId, actor, [...replacedItems.keys()]);
    const items = lockedItems.filter(({ id, version }) => replacedItems.get(id)?.version === version);
    const restoredItems = items.flatMap(({ id }) => replacedItems.get(id) ?? []);
    for (const ownerId of new Set(restoredItems.map(({ owner_id: owner }) => owner))) {
      const ownerItems = new Set(restoredItems.filter(({ owner_id: owner }) => owner === ownerId).map(({ item_id: id }) => id));
      const clientIds = items.filter(({ id, ownerId: now }) => ownerItems.has(id) && now !== ownerId).map(({ clientId }) => clientId);
      if (clientIds.length > 0) await assertMayOwn(tx, companyId, ownerId, clientIds);
    }
    await tx.execute(sql`
      update work_items w set status = r.status, owner_id = r.owner_id, due_on = coalesce(r.due_on, ${NEVER_DUE}::date), version = w.version + 1,
        updated_at = ${deps.clock.now()}::timestamptz,
        removed_at = case when r.is_removed then coalesce(w.removed_at, ${deps.clock.now()}::timestamptz) end,
        done_at = case when r.status = 'done' then coalesce(w.done_at, ${deps.clock.now()}::timestamptz) end,
        done_by = case when r.status = 'done' then coalesce(w.done_by, ${actor.userId}::uuid) end
      from jsonb_to_recordset(${JSON.stringify(restoredItems)}::jsonb) as r(item_id uuid, status text, owner_id uuid, due_on date, is_removed boolean)
      where w.company_id = ${companyId}::uuid and w.id = r.item_id`);
    await recordWorkChange(deps, tx, call, { action: 'work.change_undone', items, after: {} });
    return { restored: restoredItems.length, kept: replacedItems.size - restoredItems.length };
  });
}

/** Locks in order of id, so that two changes to the same tasks can't deadlock. */
function lockItems(tx: Tx, companyId: string, actor: Actor, ids: readonly string[]): Promise<Item[]> {
  return tx
    .select()
    .from(workItems)
    .where(and(eq(workItems.companyId, companyId), isInIdList(workItems.id, ids), isVisibleWork(actor)))
    .orderBy(workItems.id)
    .for('update');
}

type WorkEntry = { readonly action: string; readonly items: readonly Item[]; readonly after: object };

async function recordWorkChange(
  deps: AppDeps,
  tx: Tx,
  { tenant, actor, caller }: Pick<Call<typeof workItemsApi.change>, 'tenant' | 'actor' | 'caller'>,
  { action, items, after }: WorkEntry,
): Promise<void> {
  const [first] = items;
  if (first === undefined) return;
  const clientIds = [...new Set(items.flatMap(({ clientId }) => clientId ?? []))];
  await recordAudit(tx, {
    companyId: tenant.practiceId,
    at: deps.clock.now(),
    actor: actor.userId,
    ip: caller.ip,
    action,
    subject: items.length === 1 ? first.id : `${items.length} tasks`,
    before: { tasks: items.map(({ id, status, ownerId }) => ({ id, status, owner_id: ownerId })) },
    after: {
      ...after,
      title: items.length === 1 ? first.title : `${items.length} tasks`,
      ...(clientIds.length === 0 ? {} : { client_ids: clientIds }),
    },
  });
}

/** Moves a leaver's open tasks for these clients to the successor; without clients, the remaining tasks become unassigned. */
export async function handOverWork(
  tx: Tx,
  { companyId, fromId, toId, clientIds }: { companyId: string; fromId: string; toId: string | null; clientIds?: readonly string[] },
): Promise<number> {
  const movedItems = await tx
    .update(workItems)
    .set({ ownerId: toId, version: sql`${workItems.version} + 1` })
    .where(
      and(
        eq(workItems.companyId, companyId),
        eq(workItems.ownerId, fromId),
        sql`${workItems.status} <> 'done'`,
        isNull(workItems.removedAt),
        clientIds === undefined ? undefined : isInIdList(workItems.clientId, clientIds),
      ),
    )
    .returning({ id: workItems.id });
  return movedItems.length;
}
