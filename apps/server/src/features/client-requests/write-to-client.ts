/** The conversation between a practice and a client: either side can start it, and the other gets an email without the text. */
import type { clientRequestsApi } from '@portal/contract/client-requests.ts';
import { clientPosts } from '@portal/db/schema/schema.ts';
import { and, desc, eq } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';
import { lockClient } from '../clients/lock-client.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueMessageEmail } from './client-request-emails.ts';

const HOUR_MS = 3_600_000;

/** Several messages within an hour, without a reply in between, produce one email. */
export function sendConversationMessage(deps: AppDeps, call: Call<typeof clientRequestsApi.write>): Promise<{ done: true }> {
  const { input, tenant, actor, caller } = call;
  const { practiceId: companyId, clientId } = tenant;
  const at = deps.clock.now();
  const isFromClient = actor.role === 'client';
  return deps.database.db.transaction(async (tx) => {
    // Lock the client, so that one of two concurrent messages sees the other.
    await lockClient(tx, tenant);
    const [last] = await tx
      .select({ isFromClient: clientPosts.isFromClient, writtenAt: clientPosts.writtenAt })
      .from(clientPosts)
      .where(and(eq(clientPosts.companyId, companyId), eq(clientPosts.clientId, clientId)))
      .orderBy(desc(clientPosts.writtenAt), desc(clientPosts.id))
      .limit(1);
    const insertedPosts = await tx
      .insert(clientPosts)
      .values({ companyId, id: input.post_id, clientId, isFromClient, authorId: actor.userId, text: input.text, writtenAt: at })
      .onConflictDoNothing()
      .returning({ id: clientPosts.id });
    if (insertedPosts.length === 0) return { done: true };
    const after = { post_id: input.post_id, is_from_client: isFromClient };
    const action = isFromClient ? 'conversation.written_by_client' : 'conversation.written';
    await recordAudit(tx, { companyId, at, actor: actor.userId, action, subject: clientId, after, ip: caller.ip });
    const isContinued = last !== undefined && last.isFromClient === isFromClient && last.writtenAt > addMilliseconds(at, -HOUR_MS);
    if (!isContinued) await enqueueMessageEmail(deps, tx, tenant, { postId: input.post_id, author: actor, isFromClient });
    return { done: true };
  });
}
