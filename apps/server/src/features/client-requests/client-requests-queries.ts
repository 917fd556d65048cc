import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { clientRequestsApi } from '@portal/contract/client-requests.ts';
import { clientPosts, clientRequestItems, clientRequests, users } from '@portal/db/schema/schema.ts';
import { and, asc, desc, eq, isNull } from '@portal/db/sql.ts';
import { getRequestState } from '@portal/domain/client-requests/client-request.ts';
import { alias } from 'drizzle-orm/pg-core';
import type { AppDeps } from '../../app-deps.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { Actor } from '../../http/session.ts';
import { listRequestFiles } from '../client-files/list-request-files.ts';

const MAX_REQUESTS = 100;
/** The maximum number of messages returned from a conversation. Older ones are in the practice's download. */
const MAX_POSTS = 200;

export async function listClientRequests(
  { database: { db }, clock }: AppDeps,
  tenant: ClientTenant,
  actor: Actor,
): Promise<EndpointOutput<typeof clientRequestsApi.list>> {
  const { practiceId: companyId, clientId } = tenant;
  const requests = await db
    .select({ request: clientRequests, asked_by: users.fullName })
    .from(clientRequests)
    .innerJoin(users, eq(users.id, clientRequests.createdBy))
    .where(
      and(
        eq(clientRequests.companyId, companyId),
        eq(clientRequests.clientId, clientId),
        actor.role === 'client' ? isNull(clientRequests.cancelledAt) : undefined,
      ),
    )
    .orderBy(desc(clientRequests.createdAt), desc(clientRequests.id))
    .limit(MAX_REQUESTS);
  const answerers = alias(users, 'answerers');
  const items = await db
    .select({ item: clientRequestItems, answered_by: answerers.fullName })
    .from(clientRequestItems)
    .innerJoin(
      clientRequests,
      and(eq(clientRequests.companyId, clientRequestItems.companyId), eq(clientRequests.id, clientRequestItems.requestId)),
    )
    .leftJoin(answerers, eq(answerers.id, clientRequestItems.answeredBy))
    .where(and(eq(clientRequestItems.companyId, companyId), eq(clientRequests.clientId, clientId)))
    .orderBy(asc(clientRequestItems.position));
  const files = await listRequestFiles(db, tenant);
  const byItem = Map.groupBy(files, ({ request_item_id: id }) => id);
  return {
    today: clock.today(),
    requests: requests.map(({ request, asked_by }) => {
      const requestItems = items.filter(({ item }) => item.requestId === request.id);
      return {
        request_id: request.id,
        title: request.title,
        due_on: request.dueOn,
        state: getRequestState(
          requestItems.map(({ item }) => item.state),
          request.cancelledAt !== null,
        ),
        asked_by,
        asked_at: request.createdAt,
        items: requestItems.map(({ item, answered_by }) => ({
          item_id: item.id,
          kind: item.kind,
          text: item.text,
          state: item.state,
          answer: item.answer,
          answered_by,
          answered_at: item.answeredAt,
          note: item.note,
          files: byItem.get(item.id) ?? [],
        })),
      };
    }),
  };
}

export async function getConversation(
  { database: { db } }: AppDeps,
  { practiceId, clientId }: ClientTenant,
): Promise<EndpointOutput<typeof clientRequestsApi.conversation>> {
  const posts = await db
    .select({
      post_id: clientPosts.id,
      is_from_client: clientPosts.isFromClient,
      author: users.fullName,
      text: clientPosts.text,
      written_at: clientPosts.writtenAt,
    })
    .from(clientPosts)
    .innerJoin(users, eq(users.id, clientPosts.authorId))
    .where(and(eq(clientPosts.companyId, practiceId), eq(clientPosts.clientId, clientId)))
    .orderBy(desc(clientPosts.writtenAt), desc(clientPosts.id))
    .limit(MAX_POSTS);
  return { posts: posts.toReversed() };
}
