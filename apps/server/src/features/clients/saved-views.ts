/** A person's own views of the client list. */
import { randomUUID } from 'node:crypto';
import type { clientsApi } from '@portal/contract/clients.ts';
import type { OutputOf } from '@portal/contract/endpoint.ts';
import { savedViews } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, eq, sql } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { nothingHere } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';

type Views = OutputOf<typeof clientsApi.savedViews>;

/** More than anybody finds again; keeps one person from filling the table. */
const MOST_VIEWS = 50;

export async function listViews({ database: { db } }: AppDeps, { input, actor }: Call<typeof clientsApi.savedViews>): Promise<Views> {
  const rows = await db
    .select({ view_id: savedViews.id, name: savedViews.name, query: savedViews.query })
    .from(savedViews)
    .where(ofPerson(input.company_id, actor.userId))
    .orderBy(sql`lower(${savedViews.name})`, savedViews.id);
  return { views: rows };
}

export function saveView(deps: AppDeps, { input, actor }: Call<typeof clientsApi.saveView>): Promise<Views['views'][number]> {
  const { company_id: companyId, name } = input;
  const query = tidyQuery(input.query);
  return deps.database.db.transaction(async (tx) => {
    // One at a time for a person: two clicks at once would keep two views of one name.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`views ${companyId} ${actor.userId}`}, 0))`);
    const views = await tx.select().from(savedViews).where(ofPerson(companyId, actor.userId));
    const same = views.find((view) => view.name.toLowerCase() === name.toLowerCase());
    if (same) {
      await tx
        .update(savedViews)
        .set({ name, query })
        .where(and(ofPerson(companyId, actor.userId), eq(savedViews.id, same.id)));
      return { view_id: same.id, name, query };
    }
    if (views.length >= MOST_VIEWS) {
      throw new AppError('impossible', 'saved_view.too_many', `You have ${MOST_VIEWS} views. Remove one you no longer use.`);
    }
    const id = randomUUID();
    await tx.insert(savedViews).values({ companyId, userId: actor.userId, id, name, query, createdAt: deps.clock.now() });
    return { view_id: id, name, query };
  });
}

export async function removeView(deps: AppDeps, { input, actor }: Call<typeof clientsApi.removeView>): Promise<{ done: true }> {
  const removed = await deps.database.db
    .delete(savedViews)
    .where(and(ofPerson(input.company_id, actor.userId), eq(savedViews.id, input.view_id)))
    .returning({ id: savedViews.id });
  if (removed.length === 0) throw nothingHere();
  return { done: true };
}

function ofPerson(companyId: string, userId: string) {
  return and(eq(savedViews.companyId, companyId), eq(savedViews.userId, userId));
}

/** The tenant is where one is, never what one kept. */
function tidyQuery(query: string): string {
  const params = new URLSearchParams(query);
  params.delete('company_id');
  return params.toString();
}
