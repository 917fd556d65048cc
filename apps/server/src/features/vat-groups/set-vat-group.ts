/** Records a client's part in a VAT group. The group's VAT stays with one client, its representative member, so that it counts once. */
import type { vatGroupsApi } from '@portal/contract/vat-groups.ts';
import type { Tx } from '@portal/db/database.ts';
import { clients } from '@portal/db/schema/schema.ts';
import { isUniqueViolation } from '@portal/db/sql-errors.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { toGroupMember, toRepresentativeMember, toUngrouped, type VatRegistration } from '@portal/domain/clients/vat-group.ts';
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import { parseNineDigitVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { assertNoReturnUnderWay } from '../clients/assert-no-return-under-way.ts';
import { upsertClientRows } from '../clients/upsert-client-rows.ts';
import { enqueueTotals } from '../positions/refresh-totals.ts';
import { rebuildTaxes } from '../positions/rebuild-position.ts';
import { clearReadings } from '../sync/clear-readings.ts';
import { hasMembers } from './find-vat-group.ts';
import { lockClient, lockVatGroups, type LockedClient } from './lock-vat-groups.ts';

type Client = LockedClient;

/** Who changes the group of which practice. */
export type GroupChange = { readonly companyId: string; readonly actor: string; readonly ip: string };

export async function setVatGroup(deps: AppDeps, { input, tenant, actor, caller }: Call<typeof vatGroupsApi.set>): Promise<{ done: true }> {
  const change = { companyId: tenant.practiceId, actor: actor.userId, ip: caller.ip };
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
  return becomeMember(deps, tx, change, client, await findRepresentative(tx, client, input));
}

type Representative = { readonly vrn: string | null; readonly client: Client | undefined };

async function findRepresentative(
  tx: Tx,
  { companyId, id }: Client,
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

/** `representative.client` is undefined if the representative member isn't a client of the practice. */
export async function becomeMember(
  deps: AppDeps,
  tx: Tx,
  change: GroupChange,
  client: Client,
  representative: Representative,
): Promise<void> {
  await assertNoMembers(tx, client);
  await assertNoReturnUnderWay(tx, client.companyId, client.id);
  await write(deps, tx, change, client, toGroupMember(client, representative.vrn), representative.client?.name);
  const holder = representative.client;
  if (holder?.vrn && (holder.vatGroupRole === null || !holder.hasVat))
    await write(deps, tx, change, holder, toRepresentativeMember(holder.vrn));
}

/** A member takes the place of the client that has the group's number, which becomes a member like the others. */
export async function becomeRepresentative(deps: AppDeps, tx: Tx, change: GroupChange, client: Client): Promise<void> {
  const groupVrn = client.vatGroupRole === 'member' ? client.vatGroupVrn : client.vrn;
  if (groupVrn === null) {
    const reason = 'We don’t know the group’s VAT number. A VAT group has one, in the name of its representative member.';
    throw createInvalidFieldError('role', client.vatGroupRole === 'member' ? reason : `${reason} Add it to the client’s details first.`);
  }
  if (client.vatGroupRole === 'member') {
    await assertNoReturnUnderWay(tx, client.companyId, client.id);
    const holder = await lockClient(tx, client.companyId, eq(clients.vrn, groupVrn));
    if (holder) {
      await assertNoReturnUnderWay(tx, holder.companyId, holder.id);
      await write(deps, tx, change, holder, toGroupMember(holder, groupVrn), client.name);
    }
  }
  await write(deps, tx, change, client, toRepresentativeMember(groupVrn));
}

async function leaveGroup(deps: AppDeps, tx: Tx, change: GroupChange, client: Client): Promise<void> {
  await assertNoMembers(tx, client);
  if (client.vatGroupRole === null) return;
  await assertNoReturnUnderWay(tx, client.companyId, client.id);
  const { vrnOutsideGroup: formerVrn } = client;
  const holder = formerVrn === null ? undefined : await lockClient(tx, client.companyId, eq(clients.vrn, formerVrn));
  await write(deps, tx, change, client, toUngrouped(client, holder !== undefined));
}

/** Without the client that has their number, its members' VAT would count nowhere. */
async function assertNoMembers(tx: Tx, client: Client): Promise<void> {
  if (!(await hasMembers(tx, client))) return;
  throw new AppError(
    'conflict',
    'client.represents_members',
    'Other clients are members of the VAT group that this client represents. Remove them from the group, or make one of them the representative member, first.',
  );
}

async function write(
  deps: AppDeps,
  tx: Tx,
  { companyId, actor, ip }: GroupChange,
  client: Client,
  registration: VatRegistration,
  representativeName?: string,
): Promise<void> {
  const [now, today] = [deps.clock.now(), deps.clock.today()];
  await tx
    .update(clients)
    .set({ ...registration, updatedAt: now })
    .where(and(eq(clients.companyId, companyId), eq(clients.id, client.id)));
  // A member that's removed gets back the number that its readings are of.
  if (registration.vrn !== null && registration.vrn !== (client.vrn ?? client.vrnOutsideGroup)) await clearReadings(tx, client, 'vat');
  await upsertClientRows(tx, companyId, client.id);
  await rebuildTaxes(tx, { companyId, today, now }, Object.fromEntries(TAXES.map((tax) => [tax, [client.id]])));
  await enqueueTotals(deps, tx, companyId);
  const describe = ({ hasVat, vrn, vatGroupRole, vatGroupVrn }: VatRegistration) => ({
    has_vat: hasVat,
    vrn,
    vat_group_role: vatGroupRole,
    vat_group_vrn: vatGroupVrn,
  });
  const after = { ...describe(registration), ...(representativeName === undefined ? {} : { representative: representativeName }) };
  await recordAudit(tx, {
    companyId,
    at: now,
    actor,
    ip,
    action: 'client.vat_group_set',
    subject: client.id,
    before: describe(client),
    after,
  });
}
