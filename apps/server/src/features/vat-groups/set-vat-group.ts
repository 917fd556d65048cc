/** Records a client's part in a VAT group. The group's VAT stays with one client, its representative member, so that it counts once. */
import type { vatGroupsApi } from '@portal/contract/vat-groups.ts';
import type { Tx } from '@portal/db/database.ts';
import { clients } from '@portal/db/schema/schema.ts';
import { isUniqueViolation } from '@portal/db/sql-errors.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { parseNineDigitVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { becomeMembers, becomeRepresentative, leaveGroup, type GroupChange, type Representative } from './change-vat-group.ts';
import { lockClient, lockVatGroups, type LockedClient } from './lock-vat-groups.ts';

export async function setVatGroup(deps: AppDeps, { input, tenant, actor, caller }: Call<typeof vatGroupsApi.set>): Promise<{ done: true }> {
  const change: GroupChange = { companyId: tenant.practiceId, actor: actor.userId, ip: caller.ip };
  try {
    await deps.database.db.transaction((tx) => setRole(deps, tx, change, input));
  } catch (error) {
    if (!isUniqueViolation(error, 'clients_vrn')) throw error;
    const message = 'Another client was given this VAT number while you were saving. Nothing has changed. Try again.';
    throw new AppError('conflict', 'client.reference_taken', message, undefined, error);
  }
  return { done: true };
}

async function setRole(deps: AppDeps, tx: Tx, change: GroupChange, input: Call<typeof vatGroupsApi.set>['input']): Promise<void> {
  const parsedVrn = parseNineDigitVrn(input.group_vrn);
  const ids = input.representative_id === undefined ? [input.client_id] : [input.client_id, input.representative_id];
  await lockVatGroups(tx, change.companyId, ids, parsedVrn.ok ? [parsedVrn.value.vrn] : []);
  const client = await lockClient(tx, change.companyId, eq(clients.id, input.client_id));
  if (!client) throw createNotFoundError();
  if (input.role === 'none') return leaveGroup(deps, tx, change, client);
  if (input.role === 'representative') return becomeRepresentative(deps, tx, change, client);
  return becomeMembers(deps, tx, change, [client], await findRepresentative(tx, client, input));
}

async function findRepresentative(
  tx: Tx,
  { companyId, id }: LockedClient,
  { representative_id: representativeId, group_vrn: groupVrn }: { representative_id?: string | undefined; group_vrn: string },
): Promise<Representative> {
  if (representativeId !== undefined) {
    const client = await lockClient(tx, companyId, eq(clients.id, representativeId));
    if (!client || client.id === id)
      throw createInvalidFieldError('representative_id', 'Choose another client as the representative member.');
    if (client.vatGroupRole === 'member')
      throw createInvalidFieldError(
        'representative_id',
        `${client.name} isn’t the representative member of its VAT group. Choose the one that is.`,
      );
    if (client.vrn === null)
      throw createInvalidFieldError('representative_id', `${client.name} has no VAT number here. Add the group’s VAT number to it first.`);
    return { vrn: client.vrn, client };
  }
  if (groupVrn === '') return { vrn: null, client: undefined };
  const parsed = parseNineDigitVrn(groupVrn);
  if (!parsed.ok) throw createInvalidFieldError('group_vrn', parsed.reason);
  const { vrn } = parsed.value;
  return { vrn, client: await lockClient(tx, companyId, sql`${clients.vrn} = ${vrn} and ${clients.id} <> ${id}::uuid`) };
}
