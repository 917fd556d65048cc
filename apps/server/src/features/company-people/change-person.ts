/** Changes one user of a trader's company: role and permissions, removal, leaving. Every owner gets an email. */
import type { companyPeopleApi } from '@portal/contract/company-people.ts';
import type { Tx } from '@portal/db/database.ts';
import { memberships, teamInvitations, users } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, or, type SQL } from '@portal/db/sql.ts';
import { assertOwnerStays } from '@portal/domain/company-people/company-access.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { revokeApiKeysFor } from '../api-keys/end-api-keys.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueAccessChanged, enqueueAccessEnded } from './company-people-emails.ts';
import { toStoredAccess, toWireAccess } from './wire-access.ts';
import { getPerson, listOwnerIds, lockPeople, lockPeopleAsOwner, type LockedPerson } from './lock-people.ts';

type DoneResult = { readonly done: true };

export function changePerson(
  deps: AppDeps,
  { input, tenant: { companyId }, actor, caller }: Call<typeof companyPeopleApi.change>,
): Promise<DoneResult> {
  const access = toStoredAccess(input);
  return deps.database.db.transaction(async (tx) => {
    const members = await lockPeopleAsOwner(tx, companyId, actor.userId);
    const existing = getPerson(members, input.user_id);
    const stopsOwning = existing.role === 'trader_owner' && access.role !== 'trader_owner';
    if (stopsOwning) {
      assertOwnerStays(listOwnerIds(members), existing.userId);
      await endOpenInvitations(deps, tx, companyId, eq(teamInvitations.invitedBy, existing.userId));
    }
    await tx.update(memberships).set(access).where(isPerson(companyId, existing.userId));
    await recordAudit(tx, {
      companyId,
      at: deps.clock.now(),
      actor: actor.userId,
      action: 'company_people.changed',
      subject: existing.userId,
      before: toWireAccess(existing),
      after: toWireAccess(access),
      ip: caller.ip,
    });
    await enqueueAccessChanged(deps, tx, { companyId, userId: existing.userId, changedBy: actor.fullName, ...access });
    return { done: true };
  });
}

export function removePerson(
  deps: AppDeps,
  { input, tenant: { companyId }, actor, caller }: Call<typeof companyPeopleApi.remove>,
): Promise<DoneResult> {
  return deps.database.db.transaction(async (tx) => {
    const members = await lockPeopleAsOwner(tx, companyId, actor.userId);
    await endAccess(deps, tx, { companyId, people: members, person: getPerson(members, input.user_id), actor, ip: caller.ip });
    return { done: true };
  });
}

export function leaveCompany(
  deps: AppDeps,
  { tenant: { companyId }, actor, caller }: Call<typeof companyPeopleApi.leave>,
): Promise<DoneResult> {
  return deps.database.db.transaction(async (tx) => {
    const members = await lockPeople(tx, companyId);
    await endAccess(deps, tx, { companyId, people: members, person: getPerson(members, actor.userId), actor, ip: caller.ip });
    return { done: true };
  });
}

type AccessEnding = {
  readonly companyId: string;
  readonly people: readonly LockedPerson[];
  readonly person: LockedPerson;
  readonly actor: { readonly userId: string; readonly fullName: string };
  readonly ip: string;
};

async function endAccess(deps: AppDeps, tx: Tx, { companyId, people, person, actor, ip }: AccessEnding): Promise<void> {
  const { userId } = person;
  if (person.role === 'trader_owner') assertOwnerStays(listOwnerIds(people), userId);
  const [user] = await tx.select({ email: users.email, fullName: users.fullName }).from(users).where(eq(users.id, userId));
  if (!user) throw createNotFoundError();
  await endOpenInvitations(deps, tx, companyId, or(eq(teamInvitations.invitedBy, userId), eq(teamInvitations.email, user.email)));
  const at = deps.clock.now();
  await revokeApiKeysFor(tx, { companyId, userId }, deps.wallClock.now());
  await tx.delete(memberships).where(isPerson(companyId, userId));
  const existing = toWireAccess(person);
  const action = userId === actor.userId ? 'company_people.left' : 'company_people.removed';
  await recordAudit(tx, { companyId, at, actor: actor.userId, action, subject: userId, before: existing, after: {}, ip });
  await enqueueAccessEnded(deps, tx, { companyId, person: user, endedBy: userId === actor.userId ? undefined : actor.fullName });
}

/**
 * Only an owner can invite, so an accomplice’s invitation must not outlive that right. Nor must an invitation to someone outlive their
 * removal.
 */
async function endOpenInvitations(deps: AppDeps, tx: Tx, companyId: string, matches: SQL | undefined): Promise<void> {
  const { acceptedAt, revokedAt } = teamInvitations;
  await tx
    .update(teamInvitations)
    .set({ revokedAt: deps.clock.now() })
    .where(and(eq(teamInvitations.companyId, companyId), matches, isNull(acceptedAt), isNull(revokedAt)));
}

function isPerson(companyId: string, userId: string) {
  return and(eq(memberships.companyId, companyId), eq(memberships.userId, userId));
}
