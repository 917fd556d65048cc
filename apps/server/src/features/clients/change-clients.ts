/** Changes of one or many clients at once: their status, who looks after them. Each answers for itself; the whole is one transaction. */
import type { clientsApi, RowResults } from '@portal/contract/clients.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientMembers, clients, memberships } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, eq, inArray, ne } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueTotals } from '../positions/position-jobs.ts';
import { keepClientRow } from './keep-client-row.ts';

export function setClientStatus(deps: AppDeps, { input, actor, caller }: Call<typeof clientsApi.setStatus>): Promise<RowResults> {
  const { company_id: companyId, status } = input;
  return deps.database.db.transaction(async (tx) => {
    const { ids, known } = await lockClients(tx, companyId, input.client_ids);
    const changed = await tx
      .update(clients)
      .set({ status, updatedAt: deps.clock.now() })
      .where(and(eq(clients.companyId, companyId), inArray(clients.id, known), ne(clients.status, status)))
      .returning({ id: clients.id });
    const changedIds = changed.map(({ id }) => id);
    if (changedIds.length > 0) {
      await keepClientRow(tx, companyId, changedIds);
      await enqueueTotals(deps, tx, companyId);
      await recordAudit(tx, {
        companyId,
        at: deps.clock.now(),
        actor: actor.userId,
        action: 'clients.status_set',
        subject: subjectOf(changedIds),
        after: { status, client_ids: changedIds },
        ip: caller.ip,
      });
    }
    return resultsOf(ids, known, changedIds);
  });
}

export function assignClients(deps: AppDeps, { input, actor, caller }: Call<typeof clientsApi.assign>): Promise<RowResults> {
  const { company_id: companyId, user_id: userId, duty, action } = input;
  return deps.database.db.transaction(async (tx) => {
    await ensureColleague(tx, companyId, userId);
    const { ids, known } = await lockClients(tx, companyId, input.client_ids);
    const assignedAt = deps.clock.now();
    const of = and(eq(clientMembers.companyId, companyId), eq(clientMembers.userId, userId), eq(clientMembers.duty, duty));
    const changed =
      known.length === 0
        ? []
        : action === 'add'
          ? await tx
              .insert(clientMembers)
              .values(known.map((clientId) => ({ companyId, clientId, userId, duty, assignedAt })))
              .onConflictDoNothing()
              .returning({ id: clientMembers.clientId })
          : await tx
              .delete(clientMembers)
              .where(and(of, inArray(clientMembers.clientId, known)))
              .returning({ id: clientMembers.clientId });
    const changedIds = changed.map(({ id }) => id);
    if (changedIds.length > 0) {
      await keepClientRow(tx, companyId, changedIds);
      await recordAudit(tx, {
        companyId,
        at: assignedAt,
        actor: actor.userId,
        action: action === 'add' ? 'clients.assigned' : 'clients.unassigned',
        subject: subjectOf(changedIds),
        after: { user_id: userId, duty, client_ids: changedIds },
        ip: caller.ip,
      });
    }
    return resultsOf(ids, known, changedIds);
  });
}

/** In the order of their ids, so that two changes of the same clients wait for each other instead of for ever. */
async function lockClients(tx: Tx, companyId: string, asked: readonly string[]): Promise<{ ids: string[]; known: string[] }> {
  const ids = [...new Set(asked)];
  const rows = await tx
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), inArray(clients.id, ids)))
    .orderBy(clients.id)
    .for('update');
  return { ids, known: rows.map(({ id }) => id) };
}

async function ensureColleague(tx: Tx, companyId: string, userId: string): Promise<void> {
  const [row] = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(
      and(
        eq(memberships.companyId, companyId),
        eq(memberships.userId, userId),
        inArray(memberships.role, ['practice_admin', 'team_member']),
      ),
    );
  if (!row) throw new AppError('invalid', 'input.invalid', 'Choose a person of your practice.', { field: 'user_id' });
}

function resultsOf(asked: readonly string[], known: readonly string[], changed: readonly string[]): RowResults {
  const [isKnown, isChanged] = [new Set(known), new Set(changed)];
  return {
    results: asked.map((id) => ({
      client_id: id,
      outcome: isChanged.has(id) ? 'changed' : isKnown.has(id) ? 'unchanged' : 'not_found',
    })),
  };
}

/** One client by its id; of many the entry's `after` names each. */
function subjectOf(ids: readonly string[]): string {
  return ids.length === 1 ? (ids[0] ?? '') : `${ids.length} clients`;
}
