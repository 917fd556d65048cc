import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { engagementApi } from '@portal/contract/engagement.ts';
import { engagementTemplates, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';

export async function getTemplate(
  { database: { db } }: AppDeps,
  companyId: string,
): Promise<EndpointOutput<typeof engagementApi.template>> {
  const [template] = await db
    .select({ text: engagementTemplates.text, updated_by: users.fullName, updated_at: engagementTemplates.updatedAt })
    .from(engagementTemplates)
    .innerJoin(users, eq(users.id, engagementTemplates.updatedBy))
    .where(eq(engagementTemplates.companyId, companyId));
  return template ?? { text: '', updated_by: null, updated_at: null };
}

export function saveTemplate(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof engagementApi.saveTemplate>,
): Promise<{ done: true }> {
  const { practiceId: companyId } = tenant;
  const at = deps.clock.now();
  const changedTemplate = { text: input.text, updatedBy: actor.userId, updatedAt: at };
  return deps.database.db.transaction(async (tx) => {
    await tx
      .insert(engagementTemplates)
      .values({ companyId, ...changedTemplate })
      .onConflictDoUpdate({ target: engagementTemplates.companyId, set: changedTemplate });
    const entry = { companyId, at, actor: actor.userId, action: 'letter.template_saved', subject: companyId, ip: caller.ip };
    await recordAudit(tx, { ...entry, after: { text: input.text } });
    return { done: true };
  });
}
