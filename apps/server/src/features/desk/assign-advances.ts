/** Assigns operators to an advance. Anyone may take over. Once it has been assigned in review, only an operator approves it. */
import type { deskApi } from '@portal/contract/desk.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { advanceAssignments, advances, operators, users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, asc, eq, inArray, isNull, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';

export async function listOperators({ database: { db } }: AppDeps, operatorId: string): Promise<EndpointOutput<typeof deskApi.operators>> {
  const rows = await db
    .select({ user_id: users.id, name: users.fullName })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.userId))
    .where(isNull(operators.disabledAt))
    .orderBy(asc(users.fullName), asc(users.id));
  return { operators: rows.map((row) => ({ ...row, is_you: row.user_id === operatorId })) };
}

export function assignAdvances(deps: AppDeps, { input, actor, caller }: Call<typeof deskApi.assign>): Promise<{ assigned: number }> {
  const { operator_id: operatorId } = input;
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    if (operatorId !== null) {
      const [operator] = await tx.select({ disabledAt: operators.disabledAt }).from(operators).where(eq(operators.userId, operatorId));
      if (operator?.disabledAt !== null) {
        throw new AppError('impossible', 'desk.not_an_operator', 'Choose an operator from the list.', { field: 'operator_id' });
      }
    }
    const ids = input.advances.map(({ advance_id }) => advance_id);
    const foundAdvances = await tx
      .select({ companyId: advances.companyId, advanceId: advances.id, before: advanceAssignments.operatorId })
      .from(advances)
      .leftJoin(
        advanceAssignments,
        and(eq(advanceAssignments.companyId, advances.companyId), eq(advanceAssignments.advanceId, advances.id)),
      )
      .where(and(inArray(advances.companyId, [...new Set(input.advances.map(({ company_id }) => company_id))]), inArray(advances.id, ids)))
      .orderBy(asc(advances.companyId), asc(advances.id));
    if (foundAdvances.length !== new Set(ids).size) throw createNotFoundError();
    const changedAdvances = foundAdvances.filter(({ before }) => before !== operatorId);
    for (const { companyId, advanceId, before } of changedAdvances) {
      if (operatorId === null) {
        await tx
          .delete(advanceAssignments)
          .where(and(eq(advanceAssignments.companyId, companyId), eq(advanceAssignments.advanceId, advanceId)));
      } else {
        await tx
          .insert(advanceAssignments)
          .values({ companyId, advanceId, operatorId, assignedBy: actor.userId, assignedAt: at })
          .onConflictDoUpdate({
            target: [advanceAssignments.companyId, advanceAssignments.advanceId],
            set: { operatorId: sql`excluded.operator_id`, assignedBy: sql`excluded.assigned_by`, assignedAt: sql`excluded.assigned_at` },
          });
      }
      await recordAudit(tx, {
        companyId,
        at,
        actor: actor.userId,
        action: operatorId === null ? 'advance.unassigned' : 'advance.assigned',
        subject: advanceId,
        before: { operator_id: before },
        after: { operator_id: operatorId },
        ip: caller.ip,
      });
    }
    return { assigned: changedAdvances.length };
  });
}
