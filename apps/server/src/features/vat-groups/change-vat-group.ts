/** How clients join, represent and leave a VAT group, each in the caller's transaction, after `lockVatGroups`. */
import type { Tx } from '@portal/db/database.ts';
import { clients } from '@portal/db/schema/schema.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import {
  toFormerRepresentative,
  toGroupMember,
  toRepresentativeMember,
  toUngroupedClient,
  type VatRegistration,
} from '@portal/domain/clients/vat-group.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import { eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { assertNoReturnUnderWay } from '../clients/assert-no-return-under-way.ts';
import { upsertClientRows } from '../clients/upsert-client-rows.ts';
import { enqueueTotals } from '../positions/refresh-totals.ts';
import { rebuildTaxes } from '../positions/rebuild-position.ts';
import { clearReadings } from '../sync/clear-readings.ts';
import { hasMembers } from './find-vat-group.ts';
import { lockClient, type LockedClient } from './lock-vat-groups.ts';

type Client = LockedClient;

/** Who changes the group of which practice. `importId`: the import for which they answer; its own clients then count as unchanged. */
export type GroupChange = { readonly companyId: string; readonly actor: string; readonly ip: string; readonly importId?: string };

/** The client is undefined if the representative member isn't a client of the practice, and the number null if it isn't known. */
export type Representative = { readonly vrn: string | null; readonly client: Client | undefined };

export async function becomeMembers(
  deps: AppDeps,
  tx: Tx,
  change: GroupChange,
  joining: readonly Client[],
  { vrn, client: holder }: Representative,
): Promise<void> {
  for (const client of joining) await assertNoMembers(tx, client);
  await assertNoReturnsUnderWay(tx, joining);
  const isHolderRecorded = holder === undefined || (holder.vatGroupRole === 'representative' && holder.hasVat);
  await write(deps, tx, change, [
    ...joining.map((client) => ({ client, registration: toGroupMember(client, vrn), representativeId: holder?.id })),
    ...(isHolderRecorded || holder.vrn === null ? [] : [{ client: holder, registration: toRepresentativeMember(holder.vrn) }]),
  ]);
}

/** A member takes the place of the client that has the group's number, which becomes a member like the others. */
export async function becomeRepresentative(deps: AppDeps, tx: Tx, change: GroupChange, client: Client): Promise<void> {
  const isMember = client.vatGroupRole === 'member';
  const groupVrn = isMember ? client.vatGroupVrn : client.vrn;
  if (groupVrn === null) {
    const reason = 'We don’t know the group’s VAT number. A VAT group has one, in the name of its representative member.';
    throw createInvalidFieldError('role', isMember ? reason : `${reason} Add it to the client’s details first.`);
  }
  const holder = isMember ? await lockClient(tx, client.companyId, eq(clients.vrn, groupVrn)) : undefined;
  await assertNoReturnsUnderWay(tx, isMember ? [client, ...(holder ? [holder] : [])] : []);
  await write(deps, tx, change, [
    ...(holder ? [{ client: holder, registration: toFormerRepresentative(groupVrn), representativeId: client.id }] : []),
    { client, registration: toRepresentativeMember(groupVrn) },
  ]);
}

export async function leaveGroup(deps: AppDeps, tx: Tx, change: GroupChange, client: Client): Promise<void> {
  await assertNoMembers(tx, client);
  if (client.vatGroupRole === null) return;
  await assertNoReturnsUnderWay(tx, [client]);
  const { vrnOutsideGroup: formerVrn } = client;
  const holder = formerVrn === null ? undefined : await lockClient(tx, client.companyId, eq(clients.vrn, formerVrn));
  await write(deps, tx, change, [{ client, registration: toUngroupedClient(client, holder !== undefined) }]);
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

async function assertNoReturnsUnderWay(tx: Tx, list: readonly Client[]): Promise<void> {
  const [first] = list;
  if (first === undefined) return;
  await assertNoReturnUnderWay(
    tx,
    first.companyId,
    list.map(({ id }) => id),
  );
}

type Written = { readonly client: Client; readonly registration: VatRegistration; readonly representativeId?: string | undefined };

/** Uses a fixed number of statements for any number of members. */
async function write(deps: AppDeps, tx: Tx, change: GroupChange, list: readonly Written[]): Promise<void> {
  const { companyId } = change;
  const [now, today] = [deps.clock.now(), deps.clock.today()];
  // The number is free before another client gets it.
  for (const part of [list.filter(isWithoutNumber), list.filter((one) => !isWithoutNumber(one))]) {
    if (part.length === 0) continue;
    const rows = part.map(({ client: { id, importId }, registration }) => {
      return { id, ...registration, isChanged: change.importId === undefined || importId !== change.importId };
    });
    await tx.execute(sql`
      update clients c set has_vat = n."hasVat", vrn = n.vrn, vat_group_role = n."vatGroupRole", vat_group_vrn = n."vatGroupVrn",
        has_vat_outside_group = n."hasVatOutsideGroup", vrn_outside_group = n."vrnOutsideGroup",
        updated_at = case when n."isChanged" then ${now}::timestamptz else c.updated_at end
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(id uuid, "hasVat" boolean, vrn text, "vatGroupRole" text,
        "vatGroupVrn" text, "hasVatOutsideGroup" boolean, "vrnOutsideGroup" text, "isChanged" boolean)
      where c.company_id = ${companyId}::uuid and c.id = n.id`);
  }
  for (const { client, registration } of list) {
    // A member that's removed gets back the number that its readings are of.
    if (registration.vrn !== null && registration.vrn !== (client.vrn ?? client.vrnOutsideGroup)) await clearReadings(tx, client, 'vat');
  }
  const ids = list.map(({ client }) => client.id);
  await upsertClientRows(tx, companyId, ids);
  await rebuildTaxes(tx, { companyId, today, now }, Object.fromEntries(TAXES.map((tax) => [tax, ids])));
  await enqueueTotals(deps, tx, companyId);
  await recordChanges(tx, change, now, list);
}

const isWithoutNumber = ({ registration }: Written): boolean => registration.vrn === null;

/** Clients with the same change are one entry, as in every bulk change. */
async function recordChanges(tx: Tx, { companyId, actor, ip }: GroupChange, at: Instant, list: readonly Written[]): Promise<void> {
  const changes = list.map(({ client, registration, representativeId }) => ({
    id: client.id,
    before: describe(client),
    after: { ...describe(registration), ...(representativeId === undefined ? {} : { representative_id: representativeId }) },
  }));
  for (const same of Map.groupBy(changes, ({ before, after }) => JSON.stringify([before, after])).values()) {
    const [first] = same;
    if (first === undefined) continue;
    const ids = same.map(({ id }) => id);
    const subject = same.length === 1 ? first.id : `${same.length} clients`;
    const after = same.length === 1 ? first.after : { ...first.after, client_ids: ids };
    await recordAudit(tx, { companyId, at, actor, ip, action: 'client.vat_group_set', subject, before: first.before, after });
  }
}

const describe = ({
  hasVat,
  vrn,
  vatGroupRole,
  vatGroupVrn,
}: Pick<VatRegistration, 'hasVat' | 'vrn' | 'vatGroupRole' | 'vatGroupVrn'>) => ({
  has_vat: hasVat,
  vrn,
  vat_group_role: vatGroupRole,
  vat_group_vrn: vatGroupVrn,
});
