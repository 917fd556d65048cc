/** The steps of an item: the client responds in words or with files, and the practice accepts the response or requests it again. */
import type { clientRequestsApi } from '@portal/contract/client-requests.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientFiles, clientRequestItems, clientRequests } from '@portal/db/schema/schema.ts';
import { and, count, eq, isNull, ne } from '@portal/db/sql.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { getRequestState } from '@portal/domain/client-requests/client-request.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueReopenedRequest, notifyOfAnswers } from './client-request-emails.ts';

type DoneResult = { done: true };
type ClientKey = { readonly practiceId: string; readonly clientId: string };
type Item = typeof clientRequestItems.$inferSelect;
type Request = typeof clientRequests.$inferSelect;

export function answerItem(deps: AppDeps, call: Call<typeof clientRequestsApi.answer>): Promise<DoneResult> {
  const { input, tenant, actor, caller } = call;
  const { practiceId: companyId, clientId } = tenant;
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    const { request, item } = await lockAnswerableItem(tx, tenant, input.item_id);
    if (item.answer === input.answer && item.state === 'answered') return { done: true };
    await markAnswered(tx, item, { answer: input.answer, answeredBy: actor.userId, answeredAt: at });
    const after = { title: request.title, item: item.text, item_id: item.id };
    await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'request.answered', subject: clientId, after, ip: caller.ip });
    await notifyIfAnswered(deps, tx, request);
    return { done: true };
  });
}

/** The file counts as the answer as soon as it is uploaded. The practice is notified once it is clean. */
export async function answerWithFile(
  tx: Tx,
  key: ClientKey,
  itemId: string,
  answerFields: Pick<Item, 'answeredBy' | 'answeredAt'>,
): Promise<void> {
  const { item } = await lockAnswerableItem(tx, key, itemId);
  await markAnswered(tx, item, answerFields);
}

/**
 * Handles the verdict on a file that answers an item: notifies the practice of a clean file; after an infected one, the item waits for a
 * replacement.
 */
export async function settleItem(deps: AppDeps, tx: Tx, companyId: string, itemId: string): Promise<void> {
  const [foundItem] = await tx
    .select({ item: clientRequestItems, request: clientRequests })
    .from(clientRequestItems)
    .innerJoin(
      clientRequests,
      and(eq(clientRequests.companyId, clientRequestItems.companyId), eq(clientRequests.id, clientRequestItems.requestId)),
    )
    .where(and(eq(clientRequestItems.companyId, companyId), eq(clientRequestItems.id, itemId)))
    .for('update');
  if (!foundItem || foundItem.request.cancelledAt !== null) return;
  const { item, request } = foundItem;
  const [{ usable } = { usable: 0 }] = await tx
    .select({ usable: count() })
    .from(clientFiles)
    .where(
      and(
        eq(clientFiles.companyId, companyId),
        eq(clientFiles.requestItemId, itemId),
        isNull(clientFiles.removedAt),
        ne(clientFiles.state, 'infected'),
      ),
    );
  if (usable === 0 && item.answer === '' && item.state === 'answered') {
    await tx
      .update(clientRequestItems)
      .set({ state: item.note === '' ? 'open' : 'returned', answeredBy: null, answeredAt: null })
      .where(and(eq(clientRequestItems.companyId, companyId), eq(clientRequestItems.id, itemId)));
    return;
  }
  await notifyIfAnswered(deps, tx, request);
}

export function decideItem(deps: AppDeps, call: Call<typeof clientRequestsApi.decide>): Promise<DoneResult> {
  const { input, tenant, actor, caller } = call;
  const { practiceId: companyId, clientId } = tenant;
  const at = deps.clock.now();
  const isAccepted = input.decision === 'accept';
  if (!isAccepted && input.note === '') throw createInvalidFieldError('note', 'Say what’s missing, so that the client can send it.');
  return deps.database.db.transaction(async (tx) => {
    const { request, item } = await lockItem(tx, tenant, input.item_id);
    const state = isAccepted ? ('accepted' as const) : ('returned' as const);
    if (item.state === state && (isAccepted || item.note === input.note)) return { done: true };
    if (item.state !== 'answered') {
      throw new AppError(
        'conflict',
        'client_request.not_answered',
        'The client hasn’t answered this yet, or a team member has just dealt with the answer. Reload the page to see the latest.',
      );
    }
    await tx
      .update(clientRequestItems)
      .set({ state, note: isAccepted ? '' : input.note, decidedBy: actor.userId, decidedAt: at })
      .where(and(eq(clientRequestItems.companyId, companyId), eq(clientRequestItems.id, item.id)));
    const states = await listItemStates(tx, request);
    const isCompleted = getRequestState(states, false) === 'completed';
    await tx
      .update(clientRequests)
      .set({ completedAt: isCompleted ? at : null, ...(isAccepted ? {} : { notifiedAt: null }) })
      .where(and(eq(clientRequests.companyId, companyId), eq(clientRequests.id, request.id)));
    const action = isCompleted ? 'request.completed' : isAccepted ? 'request.accepted' : 'request.asked_again';
    const after = { title: request.title, item: item.text, item_id: item.id, ...(isAccepted ? {} : { note: input.note }) };
    await recordAudit(tx, { companyId, at, actor: actor.userId, action, subject: clientId, after, ip: caller.ip });
    if (!isAccepted) await enqueueReopenedRequest(deps, tx, { ...tenant, requestId: request.id }, actor);
    return { done: true };
  });
}

async function lockAnswerableItem(tx: Tx, key: ClientKey, itemId: string): Promise<{ request: Request; item: Item }> {
  const lockedItem = await lockItem(tx, key, itemId);
  if (lockedItem.item.state === 'accepted') {
    throw new AppError('conflict', 'client_request.accepted', 'This has already been accepted, so you don’t need to send anything more.');
  }
  return lockedItem;
}

/** Locks the item and its request, so that concurrent answers to its items see each other. */
async function lockItem(tx: Tx, { practiceId: companyId, clientId }: ClientKey, itemId: string): Promise<{ request: Request; item: Item }> {
  const [foundItem] = await tx
    .select({ request: clientRequests, item: clientRequestItems })
    .from(clientRequestItems)
    .innerJoin(
      clientRequests,
      and(eq(clientRequests.companyId, clientRequestItems.companyId), eq(clientRequests.id, clientRequestItems.requestId)),
    )
    .where(and(eq(clientRequestItems.companyId, companyId), eq(clientRequestItems.id, itemId), eq(clientRequests.clientId, clientId)))
    .for('update');
  if (!foundItem) throw createNotFoundError();
  if (foundItem.request.cancelledAt !== null) {
    throw new AppError('conflict', 'client_request.cancelled', 'This request has been cancelled, so there’s nothing more to do.');
  }
  return foundItem;
}

async function markAnswered(tx: Tx, { companyId, id }: Item, values: Partial<Item>): Promise<void> {
  await tx
    .update(clientRequestItems)
    .set({ ...values, state: 'answered' })
    .where(and(eq(clientRequestItems.companyId, companyId), eq(clientRequestItems.id, id)));
}

async function listItemStates(tx: Tx, { companyId, id }: Request): Promise<Item['state'][]> {
  const rows = await tx
    .select({ state: clientRequestItems.state })
    .from(clientRequestItems)
    .where(and(eq(clientRequestItems.companyId, companyId), eq(clientRequestItems.requestId, id)));
  return rows.map(({ state }) => state);
}

/** Notifies the practice once when everything is answered, and again only after the practice has asked again. */
async function notifyIfAnswered(deps: AppDeps, tx: Tx, request: Request): Promise<void> {
  const { companyId, id, clientId, notifiedAt, createdBy } = request;
  if (notifiedAt !== null || getRequestState(await listItemStates(tx, request), false) !== 'answered') return;
  const isRequest = and(eq(clientRequests.companyId, companyId), eq(clientRequests.id, id));
  await tx.update(clientRequests).set({ notifiedAt: deps.clock.now() }).where(isRequest);
  await notifyOfAnswers(deps, tx, { practiceId: companyId, clientId }, { requestId: id, askedBy: createdBy });
}
