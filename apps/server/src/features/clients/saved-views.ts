/** Saved views of the client list: a user's own, and those shared with the practice. */
import { randomUUID } from 'node:crypto';
import type { clientsApi } from '@portal/contract/clients.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Tx } from '@portal/db/database.ts';
import { savedViews, users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, eq, or, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { assertCanAddView, findViewByName, toSavedView, type ViewRow } from '../saved-views/saved-view.ts';

type Views = EndpointOutput<typeof clientsApi.savedViews>;

type View = Views['views'][number];

export async function listViews({ database: { db } }: AppDeps, { tenant, actor }: Call<typeof clientsApi.savedViews>): Promise<Views> {
  const rows = await db
    .select({ view: savedViews, madeBy: users.fullName })
    .from(savedViews)
    .innerJoin(users, eq(users.id, savedViews.userId))
    .where(and(eq(savedViews.companyId, tenant.practiceId), or(eq(savedViews.userId, actor.userId), savedViews.isShared)))
    .orderBy(sql`lower(${savedViews.name})`, savedViews.id);
  return { views: rows.map(({ view, madeBy }) => toView(view, madeBy, actor)) };
}

function toView(row: ViewRow, madeBy: string, actor: Actor): View {
  const view = toSavedView(row, madeBy, actor.userId);
  return { ...view, may_remove: view.is_yours || (view.is_shared && actor.role === 'practice_admin') };
}

export function saveView(deps: AppDeps, { input, tenant, actor }: Call<typeof clientsApi.saveView>): Promise<View> {
  const { practiceId: companyId } = tenant;
  const { name, is_shared: isShared } = input;
  const query = removeTenant(input.query);
  return deps.database.db.transaction(async (tx) => {
    const views = await lockViews(tx, companyId, actor.userId);
    const existing = findViewByName(views, name);
    const changes = { name, query, isShared };
    if (existing) {
      await tx
        .update(savedViews)
        .set(changes)
        .where(and(isOwnedBy(companyId, actor.userId), eq(savedViews.id, existing.id)));
      return toView({ ...existing, ...changes }, actor.fullName, actor);
    }
    assertCanAddView(views);
    const createdView = { companyId, userId: actor.userId, id: randomUUID(), ...changes, createdAt: deps.clock.now() };
    await tx.insert(savedViews).values(createdView);
    return toView(createdView, actor.fullName, actor);
  });
}

export function changeView(deps: AppDeps, { input, tenant, actor }: Call<typeof clientsApi.changeView>): Promise<View> {
  const { practiceId: companyId } = tenant;
  const { view_id: viewId, name, is_shared: isShared } = input;
  return deps.database.db.transaction(async (tx) => {
    const views = await lockViews(tx, companyId, actor.userId);
    const view = views.find(({ id }) => id === viewId);
    if (!view) throw createNotFoundError();
    if (views.some((other) => other !== view && other.name.toLowerCase() === name.toLowerCase())) {
      throw new AppError(
        'conflict',
        'saved_view.name_taken',
        'You already have a view with this name. Delete it first, or choose another name.',
      );
    }
    const changes = { name, isShared };
    await tx
      .update(savedViews)
      .set(changes)
      .where(and(isOwnedBy(companyId, actor.userId), eq(savedViews.id, viewId)));
    return toView({ ...view, ...changes }, actor.fullName, actor);
  });
}

/** Locks a user's views, because two concurrent requests could otherwise store the same name twice. */
async function lockViews(tx: Tx, companyId: string, userId: string) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`views ${companyId} ${userId}`}, 0))`);
  return tx.select().from(savedViews).where(isOwnedBy(companyId, userId));
}

export async function removeView(deps: AppDeps, { input, tenant, actor }: Call<typeof clientsApi.removeView>): Promise<{ done: true }> {
  const isSharedView = and(eq(savedViews.companyId, tenant.practiceId), savedViews.isShared);
  const isRemovable =
    actor.role === 'practice_admin'
      ? or(isOwnedBy(tenant.practiceId, actor.userId), isSharedView)
      : isOwnedBy(tenant.practiceId, actor.userId);
  const removedViews = await deps.database.db
    .delete(savedViews)
    .where(and(isRemovable, eq(savedViews.id, input.view_id)))
    .returning({ id: savedViews.id });
  if (removedViews.length === 0) throw createNotFoundError();
  return { done: true };
}

function isOwnedBy(companyId: string, userId: string) {
  return and(eq(savedViews.companyId, companyId), eq(savedViews.userId, userId));
}

/** The tenant comes from the current page, never from a saved view. */
function removeTenant(query: string): string {
  const params = new URLSearchParams(query);
  params.delete('company_id');
  return params.toString();
}
