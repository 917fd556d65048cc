/** Creates, renames and deletes groups of clients, and changes their members. Each request is one transaction. */
import { randomUUID } from 'node:crypto';
import type { clientGroupsApi } from '@portal/contract/client-groups.ts';
import type { ClientSelection } from '@portal/contract/clients.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Tx } from '@portal/db/database.ts';
import { isInIdList } from '@portal/db/in-id-list.ts';
import { clientGroupMembers, clientGroups, clients, companies } from '@portal/db/schema/schema.ts';
import { and, count, eq, ne, sql } from '@portal/db/sql.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { MAX_CLIENT_GROUPS, MAX_GROUP_CLIENTS } from '@portal/domain/clients/client-group.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { lockSelectedClients } from '../clients/select-clients.ts';

type Counts = EndpointOutput<typeof clientGroupsApi.addClients>['counts'];
type ClientGroupCall = Pick<Call<typeof clientGroupsApi.rename>, 'tenant' | 'actor' | 'caller'>;
type Group = { readonly id: string; readonly name: string };

export function createClientGroup(
  deps: AppDeps,
  call: Call<typeof clientGroupsApi.create>,
): Promise<EndpointOutput<typeof clientGroupsApi.create>> {
  const { input, tenant } = call;
  const { practiceId: companyId } = tenant;
  const group = { id: randomUUID(), name: toName(input.name) };
  return deps.database.db.transaction(async (tx) => {
    await lockGroupNames(tx, companyId);
    const [{ groups } = { groups: 0 }] = await tx
      .select({ groups: count() })
      .from(clientGroups)
      .where(eq(clientGroups.companyId, companyId));
    if (groups >= MAX_CLIENT_GROUPS) {
      const maxGroups = MAX_CLIENT_GROUPS.toLocaleString('en-GB');
      throw new AppError(
        'conflict',
        'client_group.too_many',
        `A practice can have at most ${maxGroups} groups. Delete one you don’t need.`,
      );
    }
    await assertNameIsFree(tx, companyId, group);
    const at = deps.clock.now();
    await tx.insert(clientGroups).values({ companyId, ...group, createdAt: at, updatedAt: at });
    await recordGroupChange(deps, tx, call, { action: 'client_group.created', subject: group.id, after: { name: group.name } });
    const isEmpty = input.client_ids === undefined && input.matching === undefined;
    const counts = isEmpty ? { changed: 0, unchanged: 0, not_found: 0 } : await addClients(deps, tx, call, group, input);
    return { group_id: group.id, counts };
  });
}

export function renameClientGroup(deps: AppDeps, call: Call<typeof clientGroupsApi.rename>): Promise<{ done: true }> {
  const { input, tenant } = call;
  const { practiceId: companyId } = tenant;
  const name = toName(input.name);
  return deps.database.db.transaction(async (tx) => {
    await lockGroupNames(tx, companyId);
    const existing = await lockGroup(tx, companyId, input.group_id);
    if (existing.name === name) return { done: true };
    await assertNameIsFree(tx, companyId, { id: existing.id, name });
    await tx.update(clientGroups).set({ name, updatedAt: deps.clock.now() }).where(isGroup(companyId, existing.id));
    await recordGroupChange(deps, tx, call, {
      action: 'client_group.renamed',
      subject: existing.id,
      before: { name: existing.name },
      after: { name },
    });
    return { done: true };
  });
}

export function deleteClientGroup(deps: AppDeps, call: Call<typeof clientGroupsApi.remove>): Promise<{ done: true }> {
  const { input, tenant } = call;
  const { practiceId: companyId } = tenant;
  return deps.database.db.transaction(async (tx) => {
    const group = await lockGroup(tx, companyId, input.group_id);
    const members = await tx
      .delete(clientGroupMembers)
      .where(and(eq(clientGroupMembers.companyId, companyId), eq(clientGroupMembers.groupId, group.id)))
      .returning({ id: clientGroupMembers.clientId });
    await tx.delete(clientGroups).where(isGroup(companyId, group.id));
    await recordMembers(deps, tx, call, { action: 'clients.ungrouped', group, ids: members.map(({ id }) => id) });
    await recordGroupChange(deps, tx, call, { action: 'client_group.deleted', subject: group.id, before: { name: group.name } });
    return { done: true };
  });
}

export function addClientsToGroup(deps: AppDeps, call: Call<typeof clientGroupsApi.addClients>): Promise<{ counts: Counts }> {
  const { input, tenant } = call;
  return deps.database.db.transaction(async (tx) => {
    const group = await lockGroup(tx, tenant.practiceId, input.group_id);
    return { counts: await addClients(deps, tx, call, group, input) };
  });
}

export function removeClientsFromGroup(deps: AppDeps, call: Call<typeof clientGroupsApi.removeClients>): Promise<{ counts: Counts }> {
  const { input, tenant, actor } = call;
  const { practiceId: companyId } = tenant;
  return deps.database.db.transaction(async (tx) => {
    const group = await lockGroup(tx, companyId, input.group_id);
    const selectedClients = await lockSelectedClients(tx, { companyId, actor, today: deps.clock.today() }, input);
    const removedMembers = await tx
      .delete(clientGroupMembers)
      .where(
        and(
          eq(clientGroupMembers.companyId, companyId),
          eq(clientGroupMembers.groupId, group.id),
          isInIdList(clientGroupMembers.clientId, selectedClients.knownIds),
        ),
      )
      .returning({ id: clientGroupMembers.clientId });
    const ids = removedMembers.map(({ id }) => id);
    await recordMembers(deps, tx, call, { action: 'clients.ungrouped', group, ids });
    return { counts: toCounts(selectedClients, ids.length) };
  });
}

/** Locks the clients' rows, so that no other request moves them at the same time. */
async function addClients(
  deps: AppDeps,
  tx: Tx,
  call: ClientGroupCall,
  group: Group,
  choice: ClientSelection & { readonly move: boolean },
): Promise<Counts> {
  const { practiceId: companyId } = call.tenant;
  const selectedClients = await lockSelectedClients(tx, { companyId, actor: call.actor, today: deps.clock.today() }, choice);
  const otherMemberships = await listInOtherGroups(tx, companyId, group.id, selectedClients.knownIds);
  const [otherGroup] = otherMemberships;
  if (otherGroup && !choice.move) {
    const restText = otherMemberships.length === 1 ? '' : `, and ${otherMemberships.length - 1} more are in other groups`;
    const message = `${otherGroup.clientName} is in the group “${otherGroup.groupName}”${restText}. A client can only be in one group. Choose to move them, or remove them from that group first.`;
    throw new AppError('conflict', 'client_group.in_another', message, { clients: otherMemberships.length });
  }
  for (const leftGroup of new Map(otherMemberships.map(({ groupId, groupName }) => [groupId, { id: groupId, name: groupName }])).values()) {
    const ids = otherMemberships.flatMap(({ groupId, clientId }) => (groupId === leftGroup.id ? [clientId] : []));
    await recordMembers(deps, tx, call, { action: 'clients.ungrouped', group: leftGroup, ids });
  }
  const { rows } = await tx.execute<{ id: string }>(sql`
    insert into client_group_members (company_id, client_id, group_id, added_at)
    select ${companyId}::uuid, wanted.id::uuid, ${group.id}::uuid, ${deps.clock.now()}::timestamptz
    from jsonb_array_elements_text(${JSON.stringify(selectedClients.knownIds)}::jsonb) as wanted(id)
    on conflict (company_id, client_id) do update set group_id = excluded.group_id, added_at = excluded.added_at
      where client_group_members.group_id <> excluded.group_id
    returning client_id as id`);
  const [{ members } = { members: 0 }] = await tx
    .select({ members: count() })
    .from(clientGroupMembers)
    .where(and(eq(clientGroupMembers.companyId, companyId), eq(clientGroupMembers.groupId, group.id)));
  if (members > MAX_GROUP_CLIENTS) {
    const message = `A group can have at most ${MAX_GROUP_CLIENTS} clients; this one would have ${members.toLocaleString('en-GB')}. Nothing was changed. Use a tag for more clients.`;
    throw new AppError('conflict', 'client_group.too_large', message);
  }
  const ids = rows.map(({ id }) => id);
  await recordMembers(deps, tx, call, { action: 'clients.grouped', group, ids });
  return toCounts(selectedClients, ids.length);
}

function listInOtherGroups(tx: Tx, companyId: string, groupId: string, clientIds: readonly string[]) {
  return tx
    .select({
      clientId: clientGroupMembers.clientId,
      clientName: clients.name,
      groupId: clientGroupMembers.groupId,
      groupName: clientGroups.name,
    })
    .from(clientGroupMembers)
    .innerJoin(clientGroups, isGroup(clientGroupMembers.companyId, clientGroupMembers.groupId))
    .innerJoin(clients, and(eq(clients.companyId, clientGroupMembers.companyId), eq(clients.id, clientGroupMembers.clientId)))
    .where(
      and(
        eq(clientGroupMembers.companyId, companyId),
        ne(clientGroupMembers.groupId, groupId),
        isInIdList(clientGroupMembers.clientId, clientIds),
      ),
    )
    .orderBy(clients.name, clients.id);
}

type SelectedProposal = { readonly requestedIds: readonly string[]; readonly knownIds: readonly string[] };

function toCounts({ requestedIds, knownIds }: SelectedProposal, changedCount: number): Counts {
  return { changed: changedCount, unchanged: knownIds.length - changedCount, not_found: requestedIds.length - knownIds.length };
}

const toName = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

function isGroup(companyId: string | typeof clientGroupMembers.companyId, id: string | typeof clientGroupMembers.groupId) {
  return and(eq(clientGroups.companyId, companyId), eq(clientGroups.id, id));
}

/** Serialises concurrent changes to group names, so that the name check remains valid. */
async function lockGroupNames(tx: Tx, companyId: string): Promise<void> {
  await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('no key update');
}

async function lockGroup(tx: Tx, companyId: string, id: string): Promise<Group> {
  const [group] = await tx
    .select({ id: clientGroups.id, name: clientGroups.name })
    .from(clientGroups)
    .where(isGroup(companyId, id))
    .for('update');
  if (!group) throw createNotFoundError();
  return group;
}

async function assertNameIsFree(tx: Tx, companyId: string, { id, name }: Group): Promise<void> {
  const [groupWithSameName] = await tx
    .select({ name: clientGroups.name })
    .from(clientGroups)
    .where(and(eq(clientGroups.companyId, companyId), ne(clientGroups.id, id), sql`lower(${clientGroups.name}) = lower(${name})`));
  if (groupWithSameName)
    throw createInvalidFieldError('name', `There’s already a group called “${groupWithSameName.name}”. Choose another name.`);
}

type GroupAuditEntry = { readonly action: string; readonly subject: string; readonly before?: unknown; readonly after?: unknown };

function recordGroupChange({ clock }: AppDeps, tx: Tx, { tenant, actor, caller }: ClientGroupCall, entry: GroupAuditEntry): Promise<void> {
  return recordAudit(tx, { companyId: tenant.practiceId, at: clock.now(), actor: actor.userId, ip: caller.ip, ...entry });
}

/** Records the change. Each client's timeline finds the entry by the IDs in it. */
async function recordMembers(
  deps: AppDeps,
  tx: Tx,
  call: ClientGroupCall,
  {
    action,
    group,
    ids,
  }: { readonly action: 'clients.grouped' | 'clients.ungrouped'; readonly group: Group; readonly ids: readonly string[] },
): Promise<void> {
  if (ids.length === 0) return;
  await recordGroupChange(deps, tx, call, { action, subject: group.id, after: { group: group.name, client_ids: ids } });
}
