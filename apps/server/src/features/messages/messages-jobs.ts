import { clientEmails, clientMessageRecipients as recipients, clientMessages } from '@portal/db/schema/schema.ts';
import { and, eq, inArray, isNotNull, lte } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { enqueueSending } from './enqueue-sending.ts';
import { sendMessages } from './send-messages.ts';

export function messageJobs(deps: AppDeps): Pick<PortalJobHandlers, 'messages.send' | 'messages.sweep'> {
  return {
    'messages.send': ({ company_id }, { signal }) => sendMessages(deps, company_id, signal),
    // Covers scheduled messages that are due, messages and emails that had to wait, and attempts whose job was lost.
    'messages.sweep': async () => {
      const { db } = deps.database;
      const practices = await db
        .selectDistinct({ companyId: recipients.companyId })
        .from(recipients)
        .innerJoin(clientMessages, and(eq(clientMessages.companyId, recipients.companyId), eq(clientMessages.id, recipients.messageId)))
        .where(and(inArray(recipients.status, ['queued', 'sending']), lte(clientMessages.sendAt, deps.clock.now())));
      const practicesWithEmails = await db
        .selectDistinct({ companyId: clientEmails.companyId })
        .from(clientEmails)
        .where(and(isNotNull(clientEmails.sealed), inArray(clientEmails.status, ['queued', 'sending'])));
      const companyIds = new Set([...practices, ...practicesWithEmails].map(({ companyId }) => companyId));
      await tryEach([...companyIds], (companyId) => enqueueSending(deps, db, companyId));
    },
  };
}
