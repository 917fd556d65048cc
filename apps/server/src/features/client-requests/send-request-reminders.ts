/** Reminds a client's users of open items, until they have answered or the last reminder day has passed. */
import { clientRequestItems, clientRequests, clients } from '@portal/db/schema/schema.ts';
import { and, asc, eq, isNull, lt, lte, notInArray, or, sql } from '@portal/db/sql.ts';
import { findDueReminder, isWaitingForClient, LAST_REMINDER } from '@portal/domain/client-requests/client-request.ts';
import { FORMER_STATUSES } from '@portal/domain/clients/client.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { enqueueReminder } from './client-request-emails.ts';

const BATCH_SIZE = 200;

type Key = { readonly companyId: string; readonly id: string };

export async function sendRequestReminders(deps: AppDeps): Promise<void> {
  const today = deps.clock.today();
  let last: Key | undefined;
  for (;;) {
    const requests: Key[] = await deps.database.db
      .select({ companyId: clientRequests.companyId, id: clientRequests.id })
      .from(clientRequests)
      .innerJoin(
        clients,
        and(
          eq(clients.companyId, clientRequests.companyId),
          eq(clients.id, clientRequests.clientId),
          notInArray(clients.status, FORMER_STATUSES),
        ),
      )
      .where(
        and(
          isNull(clientRequests.completedAt),
          isNull(clientRequests.cancelledAt),
          lt(clientRequests.reminders, LAST_REMINDER.count),
          lte(clientRequests.dueOn, addDays(today, LAST_REMINDER.earliestDays)),
          last &&
            or(
              sql`${clientRequests.companyId} > ${last.companyId}::uuid`,
              and(eq(clientRequests.companyId, last.companyId), sql`${clientRequests.id} > ${last.id}::uuid`),
            ),
        ),
      )
      .orderBy(asc(clientRequests.companyId), asc(clientRequests.id))
      .limit(BATCH_SIZE);
    // One transaction per request, so that an email is queued if and only if its reminder day is recorded as done.
    await tryEach(requests, (key) => remind(deps, key));
    last = requests.at(-1);
    if (requests.length < BATCH_SIZE) return;
  }
}

function remind(deps: AppDeps, { companyId, id }: Key): Promise<void> {
  const today = deps.clock.today();
  const isRequest = and(eq(clientRequests.companyId, companyId), eq(clientRequests.id, id));
  return deps.database.db.transaction(async (tx) => {
    const [request] = await tx.select().from(clientRequests).where(isRequest).for('update');
    if (!request || request.completedAt !== null || request.cancelledAt !== null) return;
    const { dueOn, reminders, createdAt, clientId } = request;
    const dueReminder = findDueReminder({ dueOn, reminders, askedOn: toLondonDate(createdAt) }, today);
    if (dueReminder === undefined) return;
    const items = await tx
      .select({ state: clientRequestItems.state })
      .from(clientRequestItems)
      .where(and(eq(clientRequestItems.companyId, companyId), eq(clientRequestItems.requestId, id)));
    const waitingCount = items.filter(({ state }) => isWaitingForClient(state)).length;
    if (waitingCount === 0) return;
    await tx.update(clientRequests).set({ reminders: dueReminder }).where(isRequest);
    await enqueueReminder(
      deps,
      tx,
      { practiceId: companyId, clientId },
      { requestId: id, askedBy: request.createdBy, dueOn, isLate: dueOn < today, items: waitingCount },
    );
  });
}
