/** A practice's own labels for its clients. */
import type { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import type { Db } from '@portal/db/database.ts';
import { clients } from '@portal/db/schema/schema.ts';
import { createInvalidFieldError } from '@portal/domain/app-error.ts';
import { parseTags } from '@portal/domain/clients/tags.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';

export async function listPracticeTags(db: Db, companyId: string, actor: Actor): Promise<string[]> {
  const tag = sql<string>`jsonb_array_elements_text(${clients.tags})`.as('tag');
  const rows = await db
    .selectDistinct({ tag })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), isVisibleTo(actor, clients.companyId, clients.id)));
  return rows.map((row) => row.tag).toSorted((a, b) => a.localeCompare(b, 'en-GB'));
}

export async function setTags(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof clientDashboardApi.setTags>,
): Promise<{ tags: string[] }> {
  const { practiceId: companyId, clientId } = tenant;
  const tags = parseTags(input.tags);
  if (!tags.ok) throw createInvalidFieldError('tags', tags.reason);
  const at = deps.clock.now();
  const isClient = and(eq(clients.companyId, companyId), eq(clients.id, clientId));
  await deps.database.db.transaction(async (tx) => {
    const [existing] = await tx.select({ tags: clients.tags }).from(clients).where(isClient).for('update');
    if (!existing) throw createNotFoundError();
    await tx.update(clients).set({ tags: tags.value, updatedAt: at }).where(isClient);
    const entry = { action: 'client.tags_set', subject: clientId, before: { tags: existing.tags }, after: { tags: tags.value } };
    await recordAudit(tx, { companyId, at, actor: actor.userId, ip: caller.ip, ...entry });
  });
  return { tags: [...tags.value] };
}
