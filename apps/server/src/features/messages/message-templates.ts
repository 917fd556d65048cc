/** The practice's own message templates. Everyone who may message clients may change them. */
import type { messageTemplatesApi, OwnMessageTemplate } from '@portal/contract/message-templates.ts';
import type { Db } from '@portal/db/database.ts';
import { companies, messageTemplates, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { MAX_MESSAGE_TEMPLATES } from '@portal/domain/reminder-rules/reminder-rule.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';

export function listTemplates(db: Db, companyId: string): Promise<OwnMessageTemplate[]> {
  return db
    .select({
      template_id: messageTemplates.id,
      name: messageTemplates.name,
      subject: messageTemplates.subject,
      body: messageTemplates.body,
      version: messageTemplates.version,
      updated_at: messageTemplates.updatedAt,
      updated_by: users.fullName,
    })
    .from(messageTemplates)
    .innerJoin(users, eq(users.id, messageTemplates.updatedBy))
    .where(eq(messageTemplates.companyId, companyId))
    .orderBy(asc(messageTemplates.name), asc(messageTemplates.id));
}

export function saveTemplate(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof messageTemplatesApi.save>,
): Promise<{ done: true }> {
  const companyId = tenant.practiceId;
  const { template_id: id, version, name, subject, body } = input;
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    // The lock serialises two users who save at the same time.
    await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('no key update');
    const isThis = and(eq(messageTemplates.companyId, companyId), eq(messageTemplates.id, id));
    const [storedTemplate] = await tx.select().from(messageTemplates).where(isThis);
    const isSame = storedTemplate?.name === name && storedTemplate.subject === subject && storedTemplate.body === body;
    // A repeat of the same request.
    if (isSame) return { done: true };
    if ((storedTemplate?.version ?? 0) !== version) {
      const message =
        'Someone has changed or deleted this template since you opened it, so your changes weren’t saved. Reload and make them again.';
      throw new AppError('conflict', 'message_template.changed_since', message);
    }
    if (!storedTemplate && (await tx.$count(messageTemplates, eq(messageTemplates.companyId, companyId))) >= MAX_MESSAGE_TEMPLATES) {
      const message = `A practice can have at most ${MAX_MESSAGE_TEMPLATES} templates. Delete one you don’t need.`;
      throw new AppError('conflict', 'message_template.too_many', message);
    }
    const fields = { name, subject, body, version: version + 1, updatedAt: at, updatedBy: actor.userId };
    await tx
      .insert(messageTemplates)
      .values({ companyId, id, ...fields })
      .onConflictDoUpdate({ target: [messageTemplates.companyId, messageTemplates.id], set: fields });
    const entry = { companyId, at, actor: actor.userId, action: 'message_template.saved', subject: id, ip: caller.ip };
    await recordAudit(tx, { ...entry, after: { name, subject, body, version: version + 1 } });
    return { done: true };
  });
}

export function removeTemplate(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof messageTemplatesApi.remove>,
): Promise<{ done: true }> {
  const companyId = tenant.practiceId;
  const { template_id: id } = input;
  return deps.database.db.transaction(async (tx) => {
    const isThis = and(eq(messageTemplates.companyId, companyId), eq(messageTemplates.id, id));
    const [removedTemplate] = await tx.delete(messageTemplates).where(isThis).returning({ name: messageTemplates.name });
    if (removedTemplate) {
      const entry = {
        companyId,
        at: deps.clock.now(),
        actor: actor.userId,
        action: 'message_template.removed',
        subject: id,
        ip: caller.ip,
      };
      await recordAudit(tx, { ...entry, after: { name: removedTemplate.name } });
    }
    return { done: true };
  });
}
