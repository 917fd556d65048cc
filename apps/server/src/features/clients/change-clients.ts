/** Bulk changes to status or assignment, for selected clients or for all that match a filter. Each request is one transaction. */
import { PRACTICE_ROLES } from '@portal/domain/identity/roles.ts';
import type { ClientSelection, clientsApi, RowResults } from '@portal/contract/clients.ts';
import { isInIdList } from '@portal/db/in-id-list.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientMembers, clients, memberships } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, eq, inArray, ne, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueTotals, refreshTotalsOfUsers } from '../positions/refresh-totals.ts';
import { lockSelectedClients } from './select-clients.ts';
import { saveChange } from './undo-change.ts';
import { upsertClientRows } from './upsert-client-rows.ts';

export function setClientStatus(deps: AppDeps, { input, tenant, actor, caller }: Call<typeof clientsApi.setStatus>): Promise<RowResults> {
  const { practiceId: companyId } = tenant;
  const { status } = input;
  return deps.database.db.transaction(async (tx) => {
    const { requestedIds, knownIds } = await lockSelectedClients(tx, { companyId, actor, today: deps.clock.today() }, input);
    const toChange = and(eq(clients.companyId, companyId), isInIdList(clients.id, knownIds), ne(clients.status, status));
    // The rows are locked above, so this reads exactly the rows that the update will change.
    const existing = await tx.select({ id: clients.id, was: clients.status }).from(clients).where(toChange);
    await tx.update(clients).set({ status, updatedAt: deps.clock.now() }).where(toChange);
    const changedIds = existing.map(({ id }) => id);
    let changeId: string | null = null;
    if (changedIds.length > 0) {
      changeId = await saveChange(tx, {
        companyId,
        madeBy: actor.userId,
        madeAt: deps.clock.now(),
        kind: 'status',
        to: { status },
        clients: existing,
      });
      await upsertClientRows(tx, companyId, changedIds);
      await enqueueTotals(deps, tx, companyId);
      await recordAudit(tx, {
        companyId,
        at: deps.clock.now(),
        actor: actor.userId,
        action: 'clients.status_set',
        subject: toAuditSubject(changedIds),
        after: { status, client_ids: changedIds },
        ip: caller.ip,
      });
    }
    return toRowResults(input, { requestedIds, knownIds, changed: changedIds, changeId });
  });
}

export async function assignClients(deps: AppDeps, { input, tenant, actor, caller }: Call<typeof clientsApi.assign>): Promise<RowResults> {
  const { practiceId: companyId } = tenant;
  const { user_id: userId, duty, action } = input;
  const results = await deps.database.db.transaction(async (tx) => {
    await assertIsColleague(tx, companyId, userId);
    const { requestedIds, knownIds } = await lockSelectedClients(tx, { companyId, actor, today: deps.clock.today() }, input);
    const assignedAt = deps.clock.now();
    const isThisAssignment = and(eq(clientMembers.companyId, companyId), eq(clientMembers.userId, userId), eq(clientMembers.duty, duty));
    const changedClients =
      action === 'add'
        ? await addMember(tx, { companyId, userId, duty, assignedAt }, knownIds)
        : await tx
            .delete(clientMembers)
            .where(and(isThisAssignment, isInIdList(clientMembers.clientId, knownIds)))
            .returning({ id: clientMembers.clientId });
    const changedIds = changedClients.map(({ id }) => id);
    let changeId: string | null = null;
    if (changedIds.length > 0) {
      const kind = action === 'add' ? 'assign' : 'unassign';
      const previousValues = changedIds.map((id) => ({ id, was: null }));
      changeId = await saveChange(tx, {
        companyId,
        madeBy: actor.userId,
        madeAt: assignedAt,
        kind,
        to: { user_id: userId, duty },
        clients: previousValues,
      });
      await upsertClientRows(tx, companyId, changedIds);
      await enqueueTotals(deps, tx, companyId);
      await recordAudit(tx, {
        companyId,
        at: assignedAt,
        actor: actor.userId,
        action: action === 'add' ? 'clients.assigned' : 'clients.unassigned',
        subject: toAuditSubject(changedIds),
        after: { user_id: userId, duty, client_ids: changedIds },
        ip: caller.ip,
      });
    }
    return toRowResults(input, { requestedIds, knownIds, changed: changedIds, changeId });
  });
  if (results.counts.changed > 0) await refreshTotalsOfUsers(deps, companyId, [userId]);
  return results;
}

/** Uses one statement for any number of clients. Returns the clients that were newly assigned. */
async function addMember(tx: Tx, member: Omit<typeof clientMembers.$inferInsert, 'clientId'>, clientIds: readonly string[]) {
  const { companyId, userId, duty, assignedAt } = member;
  const { rows } = await tx.execute<{ id: string }>(sql`
    insert into client_members (company_id, client_id, user_id, duty, assigned_at)
    select ${companyId}::uuid, wanted.id::uuid, ${userId}::uuid, ${duty}, ${assignedAt}::timestamptz
    from jsonb_array_elements_text(${JSON.stringify(clientIds)}::jsonb) as wanted(id)
    on conflict do nothing returning client_id as id`);
  return rows;
}

/** Locks the membership until the transaction ends, so that a member who is being deactivated isn't assigned any clients. */
async function assertIsColleague(tx: Tx, companyId: string, userId: string): Promise<void> {
  const [row] = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId), inArray(memberships.role, PRACTICE_ROLES)))
    .for('share');
  if (!row) throw new AppError('invalid', 'input.invalid', 'Choose someone in your practice.', { field: 'user_id' });
}

type ChangeOutcome = {
  readonly requestedIds: readonly string[];
  readonly knownIds: readonly string[];
  readonly changed: readonly string[];
  readonly changeId: string | null;
};

function toRowResults({ matching }: ClientSelection, { requestedIds, knownIds, changed, changeId }: ChangeOutcome): RowResults {
  const counts = { changed: changed.length, unchanged: knownIds.length - changed.length, not_found: requestedIds.length - knownIds.length };
  if (matching) return { counts, results: [], change_id: changeId };
  const [knownSet, changedSet] = [new Set(knownIds), new Set(changed)];
  const getOutcome = (id: string) => (changedSet.has(id) ? 'changed' : knownSet.has(id) ? 'unchanged' : 'not_found');
  return { counts, results: requestedIds.map((id) => ({ client_id: id, outcome: getOutcome(id) })), change_id: changeId };
}

/** Returns the ID of a single client. For several clients, `after` lists the IDs. */
function toAuditSubject(ids: readonly string[]): string {
  return ids.length === 1 ? (ids[0] ?? '') : `${ids.length} clients`;
}
