/** Operators' saved views of the desk: their own, and those shared by others. */
import { randomUUID } from 'node:crypto';
import type { deskApi } from '@portal/contract/desk.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { deskViews, users } from '@portal/db/schema/schema.ts';
import { and, eq, or, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { assertCanAddView, findViewByName, toSavedView } from '../saved-views/saved-view.ts';

type View = EndpointOutput<typeof deskApi.saveView>;

export async function listDeskViews({ database: { db } }: AppDeps, operatorId: string): Promise<EndpointOutput<typeof deskApi.views>> {
  const rows = await db
    .select({ view: deskViews, madeBy: users.fullName })
    .from(deskViews)
    .innerJoin(users, eq(users.id, deskViews.userId))
    .where(or(eq(deskViews.userId, operatorId), deskViews.isShared))
    .orderBy(sql`lower(${deskViews.name})`, deskViews.id);
  return { views: rows.map(({ view, madeBy }) => toSavedView(view, madeBy, operatorId)) };
}

export function saveDeskView(deps: AppDeps, { input, actor }: Call<typeof deskApi.saveView>): Promise<View> {
  const { name, query, is_shared: isShared } = input;
  return deps.database.db.transaction(async (tx) => {
    // Two concurrent requests could otherwise store the same name twice.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`desk views ${actor.userId}`}, 0))`);
    const views = await tx.select().from(deskViews).where(eq(deskViews.userId, actor.userId));
    const existing = findViewByName(views, name);
    if (existing) {
      const changes = { name, query, isShared };
      await tx
        .update(deskViews)
        .set(changes)
        .where(and(eq(deskViews.userId, actor.userId), eq(deskViews.id, existing.id)));
      return toSavedView({ ...existing, ...changes }, actor.fullName, actor.userId);
    }
    assertCanAddView(views);
    const createdView = { userId: actor.userId, id: randomUUID(), name, query, isShared, createdAt: deps.clock.now() };
    await tx.insert(deskViews).values(createdView);
    return toSavedView(createdView, actor.fullName, actor.userId);
  });
}

export async function removeDeskView(deps: AppDeps, { input, actor }: Call<typeof deskApi.removeView>): Promise<{ done: true }> {
  const removedViews = await deps.database.db
    .delete(deskViews)
    .where(and(eq(deskViews.userId, actor.userId), eq(deskViews.id, input.view_id)))
    .returning({ id: deskViews.id });
  if (removedViews.length === 0) throw createNotFoundError();
  return { done: true };
}
