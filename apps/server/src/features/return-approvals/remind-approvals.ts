/** Reminds a client's users once about figures that they have neither approved nor questioned. */
import { clients, obligations, returnApprovals } from '@portal/db/schema/schema.ts';
import { FORMER_STATUSES } from '@portal/domain/clients/client.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { APPROVAL_REMINDER_DAYS } from '@portal/domain/vat-returns/return-approval.ts';
import { and, eq, isNull, lte, notInArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { toSentApproval } from './answer-approval.ts';
import { enqueueApprovalRequest } from './approval-emails.ts';

const DAY_MS = 86_400_000;
const BATCH_SIZE = 200;

export async function remindApprovals(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const isDue = and(
    eq(returnApprovals.state, 'sent'),
    isNull(returnApprovals.endedAt),
    isNull(returnApprovals.remindedAt),
    lte(returnApprovals.requestedAt, addMilliseconds(deps.clock.now(), -APPROVAL_REMINDER_DAYS * DAY_MS)),
  );
  for (;;) {
    const dueApprovals = await db
      .select({ companyId: returnApprovals.companyId, id: returnApprovals.id })
      .from(returnApprovals)
      .innerJoin(
        clients,
        and(
          eq(clients.companyId, returnApprovals.companyId),
          eq(clients.id, returnApprovals.clientId),
          notInArray(clients.status, FORMER_STATUSES),
        ),
      )
      // A return filed with other software no longer needs approval. The obligations of a client are stored under its own id as company.
      .innerJoin(
        obligations,
        and(
          eq(obligations.companyId, returnApprovals.clientId),
          eq(obligations.id, returnApprovals.obligationId),
          eq(obligations.status, 'open'),
        ),
      )
      .where(isDue)
      .limit(BATCH_SIZE);
    // One transaction each, so that the email is queued if and only if the row records it.
    await tryEach(dueApprovals, ({ companyId, id }) =>
      db.transaction(async (tx) => {
        const [row] = await tx
          .update(returnApprovals)
          .set({ remindedAt: deps.clock.now() })
          .where(and(eq(returnApprovals.companyId, companyId), eq(returnApprovals.id, id), isDue))
          .returning();
        if (!row) return;
        await enqueueApprovalRequest(deps, tx, toSentApproval(row), {
          boxes: row.boxes,
          dueOn: row.dueOn,
          text: row.reason,
          isReminder: true,
        });
      }),
    );
    if (dueApprovals.length < BATCH_SIZE) return;
  }
}
