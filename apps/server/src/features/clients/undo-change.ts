/** Undoes a bulk change within a day, for each client that has not had the same kind of change since. */
import { randomUUID } from 'node:crypto';
import type { clientsApi } from '@portal/contract/clients.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientChanges, clients, users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, desc, eq, gt, lt, sql, type SQL } from '@portal/db/sql.ts';
import { alias } from 'drizzle-orm/pg-core';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { JobPayloads } from '../../jobs/job-kinds.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueTotals, refreshTotalsOfUsers } from '../positions/refresh-totals.ts';
import { lockTeamMembership } from '../team/lock-team.ts';
import { upsertClientRows } from './upsert-client-rows.ts';

/** The same period as for undoing an import. */
const UNDO_WINDOW_MS = 86_400_000;

type ClientChangeRow = typeof clientChanges.$inferSelect;
type AssignmentTarget = Exclude<ClientChangeRow['to'], { readonly status: unknown }>;

/** Call it in the transaction that makes the change. */
export async function saveChange(
  tx: Tx,
  change: Pick<ClientChangeRow, 'companyId' | 'kind' | 'to' | 'clients' | 'madeBy' | 'madeAt'>,
): Promise<string> {
  const id = randomUUID();
  await tx.insert(clientChanges).values({ ...change, id, state: 'made' });
  return id;
}

const matchesChange = (companyId: string, id: string) => and(eq(clientChanges.companyId, companyId), eq(clientChanges.id, id));

export async function getChange(
  { database }: AppDeps,
  { input, tenant }: Call<typeof clientsApi.change>,
): Promise<EndpointOutput<typeof clientsApi.change>> {
  const [foundChange] = await database.db
    .select({
      state: clientChanges.state,
      changed: sql<number>`jsonb_array_length(${clientChanges.clients})`,
      reverted: clientChanges.revertedCount,
    })
    .from(clientChanges)
    .where(matchesChange(tenant.practiceId, input.change_id));
  if (!foundChange) throw createNotFoundError();
  return foundChange;
}

/** Enough for a day's work. The list doesn't show older changes. */
const MAX_LISTED = 20;

export async function listChanges(
  { database: { db }, clock }: AppDeps,
  { tenant, actor }: Call<typeof clientsApi.changes>,
): Promise<EndpointOutput<typeof clientsApi.changes>> {
  const [author, colleague] = [alias(users, 'maker'), alias(users, 'colleague')];
  const size = sql<number>`jsonb_array_length(${clientChanges.clients})`;
  // The number of changed clients that are still in the client list.
  const changedCount = sql`(select count(*) from jsonb_array_elements(${clientChanges.clients}) e
    join client_rows r on r.company_id = ${clientChanges.companyId} and r.client_id = (e ->> 'id')::uuid)`.mapWith(Number);
  const rows = await db
    .select({
      id: clientChanges.id,
      kind: clientChanges.kind,
      to: clientChanges.to,
      changed: changedCount,
      clientName: clients.name,
      madeAt: clientChanges.madeAt,
      madeBy: author.fullName,
      makerId: clientChanges.madeBy,
      colleague: colleague.fullName,
      state: clientChanges.state,
      revertClients: clientChanges.revertedCount,
    })
    .from(clientChanges)
    .innerJoin(author, eq(author.id, clientChanges.madeBy))
    .leftJoin(colleague, sql`${colleague.id} = (${clientChanges.to} ->> 'user_id')::uuid`)
    .leftJoin(
      clients,
      and(
        sql`${size} = 1`,
        eq(clients.companyId, clientChanges.companyId),
        sql`${clients.id} = (${clientChanges.clients} -> 0 ->> 'id')::uuid`,
      ),
    )
    .where(and(eq(clientChanges.companyId, tenant.practiceId), gt(clientChanges.madeAt, addMilliseconds(clock.now(), -UNDO_WINDOW_MS))))
    .orderBy(desc(clientChanges.madeAt), clientChanges.id)
    .limit(MAX_LISTED);
  return {
    changes: rows.map((row) => ({
      change_id: row.id,
      kind: row.kind,
      status: 'status' in row.to ? row.to.status : null,
      colleague: row.colleague,
      duty: 'duty' in row.to ? row.to.duty : null,
      changed: row.changed,
      client_name: row.clientName,
      made_at: row.madeAt,
      made_by: row.madeBy,
      is_yours: row.makerId === actor.userId,
      undo_until: addMilliseconds(row.madeAt, UNDO_WINDOW_MS),
      state: row.state,
      reverted: row.revertClients,
    })),
  };
}

/** A job does the work, because thousands of clients take longer than a browser would wait. */
export async function startUndo(deps: AppDeps, { input, tenant, actor }: Call<typeof clientsApi.undoChange>): Promise<{ done: true }> {
  const { practiceId: companyId } = tenant;
  const { change_id: id } = input;
  await deps.database.db.transaction(async (tx) => {
    const [lockedChange] = await tx.select().from(clientChanges).where(matchesChange(companyId, id)).for('update');
    if (!lockedChange) throw createNotFoundError();
    if (lockedChange.state !== 'made') return;
    if (addMilliseconds(lockedChange.madeAt, UNDO_WINDOW_MS) <= deps.clock.now()) {
      throw new AppError(
        'conflict',
        'clients.undo_not_possible',
        'You can only undo a change within 24 hours. Change these clients again instead.',
      );
    }
    await tx.update(clientChanges).set({ state: 'undoing', undoneBy: actor.userId }).where(matchesChange(companyId, id));
    await deps.enqueue(tx, 'clients.undo-change', { company_id: companyId, change_id: id });
  });
  return { done: true };
}

/** One transaction, so that a second run finds it completed. After the last failed attempt, the user can request it again. */
export async function undoClientChange(
  deps: AppDeps,
  change: JobPayloads['clients.undo-change'],
  run: { readonly isLastAttempt: boolean },
): Promise<void> {
  const { company_id: companyId, change_id: id } = change;
  const { db } = deps.database;
  try {
    const undoneResult = await db.transaction((tx) => undoInTransaction(deps, tx, companyId, id));
    if (undoneResult !== undefined && 'user_id' in undoneResult.to) {
      const { user_id: userId, from_user_id: fromId } = undoneResult.to;
      await refreshTotalsOfUsers(deps, companyId, fromId === undefined ? [userId] : [userId, fromId]);
    }
  } catch (error) {
    if (run.isLastAttempt) await failUndo(deps, change);
    throw error;
  }
}

export async function failUndo({ database }: AppDeps, change: JobPayloads['clients.undo-change']): Promise<void> {
  await database.db
    .update(clientChanges)
    .set({ state: 'made' })
    .where(and(matchesChange(change.company_id, change.change_id), eq(clientChanges.state, 'undoing')));
}

async function undoInTransaction(deps: AppDeps, tx: Tx, companyId: string, id: string): Promise<ClientChangeRow | undefined> {
  await lockTeamMembership(tx, companyId);
  const [lockedChange] = await tx.select().from(clientChanges).where(matchesChange(companyId, id)).for('update');
  if (lockedChange?.state !== 'undoing') return undefined;
  const now = deps.clock.now();
  const { rows } = await tx.execute<{ id: string }>(revertClients(lockedChange, now));
  const ids = rows.map((row) => row.id);
  if (ids.length > 0) {
    await upsertClientRows(tx, companyId, ids);
    await enqueueTotals(deps, tx, companyId);
  }
  const restoredIds = new Set(ids);
  const clientsOfChange = lockedChange.clients.map((client) =>
    restoredIds.has(client.id) ? { ...client, restored: true as const } : client,
  );
  await tx
    .update(clientChanges)
    .set({ state: 'undone', revertedCount: ids.length, clients: clientsOfChange })
    .where(matchesChange(companyId, id));
  const after = { change: lockedChange.kind, ...lockedChange.to, client_ids: ids };
  await recordAudit(tx, {
    companyId,
    at: now,
    actor: lockedChange.undoneBy ?? lockedChange.madeBy,
    action: 'clients.change_undone',
    subject: id,
    after,
  });
  return lockedChange;
}

/** Builds the statement that restores the clients without a later change of the same kind, and returns their IDs. */
function revertClients(change: ClientChangeRow, now: string): SQL {
  const { companyId, madeAt, to } = change;
  const list = sql`jsonb_to_recordset(${JSON.stringify(change.clients)}::jsonb) as listed(id uuid, was text)`;
  const isSameKind = change.kind === 'status' ? sql`l.kind = 'status'` : sql`l.kind <> 'status' and l."to" = ${JSON.stringify(to)}::jsonb`;
  const restorable = sql`mine as (
    select listed.id, listed.was from ${list}
    where listed.id not in (
      select later.id from client_changes l, jsonb_to_recordset(l.clients) as later(id uuid)
      where l.company_id = ${companyId}::uuid and l.made_at > ${madeAt}::timestamptz and ${isSameKind}))`;
  if ('status' in to) {
    return sql`with ${restorable} update clients c set status = mine.was, updated_at = ${now}::timestamptz
      from mine where c.company_id = ${companyId}::uuid and c.id = mine.id and c.status = ${to.status} returning c.id`;
  }
  if (change.kind === 'assign') {
    return sql`with ${restorable} delete from client_members m using mine
      where m.company_id = ${companyId}::uuid and m.client_id = mine.id and m.user_id = ${to.user_id}::uuid and m.duty = ${to.duty}
        and m.assigned_at = ${madeAt}::timestamptz returning m.client_id as id`;
  }
  if (change.kind === 'hand_over') return revertHandOver(change, to, restorable, now);
  // A user who has since left the practice is not assigned again.
  return sql`with ${restorable} insert into client_members (company_id, client_id, user_id, duty, assigned_at)
    select c.company_id, c.id, s.user_id, ${to.duty}, ${now}::timestamptz
    from mine join clients c on c.company_id = ${companyId}::uuid and c.id = mine.id
    join memberships s on s.company_id = c.company_id and s.user_id = ${to.user_id}::uuid
    on conflict do nothing returning client_id as id`;
}

/**
 * Returns the duty to the previous member where the successor still has it. Duties that the successor had before the hand-over are kept.
 */
function revertHandOver({ companyId, madeAt }: ClientChangeRow, to: AssignmentTarget, restorable: SQL, now: string): SQL {
  const isHeld = sql`m.company_id = ${companyId}::uuid and m.client_id = mine.id and m.user_id = ${to.user_id}::uuid and m.duty = ${to.duty}`;
  return sql`with ${restorable}, held as (
      select mine.id from mine join client_members m on ${isHeld}
      join memberships s on s.company_id = m.company_id and s.user_id = ${to.from_user_id ?? null}::uuid
    ), removed as (
      delete from client_members m using held as mine where ${isHeld} and m.assigned_at = ${madeAt}::timestamptz
    ), restored as (
      insert into client_members (company_id, client_id, user_id, duty, assigned_at)
      select ${companyId}::uuid, held.id, ${to.from_user_id ?? null}::uuid, ${to.duty}, ${now}::timestamptz from held on conflict do nothing
    )
    select id from held`;
}

/** Deletes changes that can no longer be undone. The audit trail still records which clients were changed. */
export async function purgeClientChanges({ database, clock }: AppDeps): Promise<void> {
  await database.db.delete(clientChanges).where(lt(clientChanges.madeAt, addMilliseconds(clock.now(), -2 * UNDO_WINDOW_MS)));
}
