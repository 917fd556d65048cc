/** Creates a practice's request to a client, and cancels it. */
import type { clientRequestsApi } from '@portal/contract/client-requests.ts';
import { clientRequestItems, clientRequests } from '@portal/db/schema/schema.ts';
import { and, count, eq, isNull } from '@portal/db/sql.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { MAX_OPEN_REQUESTS } from '@portal/domain/client-requests/client-request.ts';
import type { AppDeps } from '../../app-deps.ts';
import { lockClient } from '../clients/lock-client.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueNewRequest } from './client-request-emails.ts';

type DoneResult = { done: true };

export function createClientRequest(deps: AppDeps, call: Call<typeof clientRequestsApi.create>): Promise<DoneResult> {
  const { input, tenant, actor, caller } = call;
  const { practiceId: companyId, clientId } = tenant;
  const at = deps.clock.now();
  if (input.due_on < deps.clock.today()) throw createInvalidFieldError('due_on', 'Choose today or a later date.');
  return deps.database.db.transaction(async (tx) => {
    // Lock the client, so that concurrent requests count each other.
    await lockClient(tx, tenant);
    const values = {
      companyId,
      id: input.request_id,
      clientId,
      title: input.title,
      dueOn: input.due_on,
      createdBy: actor.userId,
      createdAt: at,
    };
    const insertedRequests = await tx.insert(clientRequests).values(values).onConflictDoNothing().returning({ id: clientRequests.id });
    if (insertedRequests.length === 0) return { done: true };
    const isOpen = and(
      eq(clientRequests.companyId, companyId),
      eq(clientRequests.clientId, clientId),
      isNull(clientRequests.completedAt),
      isNull(clientRequests.cancelledAt),
    );
    const [{ open } = { open: 0 }] = await tx.select({ open: count() }).from(clientRequests).where(isOpen);
    if (open > MAX_OPEN_REQUESTS) {
      const reason = `This client already has ${MAX_OPEN_REQUESTS} open requests. Accept, complete or cancel one first.`;
      throw new AppError('conflict', 'client_request.too_many', reason);
    }
    const items = input.items.map(({ item_id: id, kind, text }, position) => ({
      companyId,
      id,
      requestId: input.request_id,
      position,
      kind,
      text,
    }));
    await tx.insert(clientRequestItems).values(items);
    const after = { title: input.title, request_id: input.request_id, due_on: input.due_on, items: items.length };
    await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'request.sent', subject: clientId, after, ip: caller.ip });
    await enqueueNewRequest(deps, tx, tenant, { requestId: input.request_id, asker: actor, dueOn: input.due_on, items: items.length });
    return { done: true };
  });
}

export function cancelClientRequest(deps: AppDeps, call: Call<typeof clientRequestsApi.cancel>): Promise<DoneResult> {
  const { input, tenant, actor, caller } = call;
  const { practiceId: companyId, clientId } = tenant;
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    const isRequest = and(
      eq(clientRequests.companyId, companyId),
      eq(clientRequests.clientId, clientId),
      eq(clientRequests.id, input.request_id),
    );
    const [request] = await tx.select().from(clientRequests).where(isRequest).for('update');
    if (!request) throw createNotFoundError();
    if (request.cancelledAt !== null) return { done: true };
    if (request.completedAt !== null)
      throw new AppError('conflict', 'client_request.completed', 'This request is completed, so it can’t be cancelled.');
    await tx.update(clientRequests).set({ cancelledAt: at }).where(isRequest);
    const after = { title: request.title, request_id: request.id };
    await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'request.cancelled', subject: clientId, after, ip: caller.ip });
    return { done: true };
  });
}
