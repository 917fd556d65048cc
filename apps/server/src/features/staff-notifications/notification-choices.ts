/** A member's own choices, combined with their role's defaults. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { staffNotificationsApi } from '@portal/contract/staff-notifications.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clients, memberships, mutedClients, staffNotificationChoices } from '@portal/db/schema/schema.ts';
import { and, asc, eq, inArray } from '@portal/db/sql.ts';
import type { PracticeRole } from '@portal/domain/identity/roles.ts';
import {
  DEFAULT_CHOICES,
  getChannels,
  isAfterDigests,
  type NotificationChoices,
} from '@portal/domain/staff-notifications/decide-delivery.ts';
import { NOTIFICATION_KIND_FACTS } from '@portal/domain/staff-notifications/notification-kind-facts.ts';
import { NOTIFICATION_KINDS, type NotificationKind, type Channels } from '@portal/domain/staff-notifications/notification-kinds.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';

type ChoiceRow = typeof staffNotificationChoices.$inferSelect;
type Choices = EndpointOutput<typeof staffNotificationsApi.choices>;

export function toChoices(row: ChoiceRow | null | undefined): NotificationChoices {
  if (!row) return DEFAULT_CHOICES;
  const { channels, digest, quietFrom, quietTo } = row;
  return { channels, digest, quiet: quietFrom === null || quietTo === null ? null : { from: quietFrom, to: quietTo } };
}

const isOwn = (companyId: string, userId: string) =>
  and(eq(staffNotificationChoices.companyId, companyId), eq(staffNotificationChoices.userId, userId));

export async function loadChoices(db: Db | Tx, companyId: string, userId: string): Promise<NotificationChoices> {
  const [row] = await db.select().from(staffNotificationChoices).where(isOwn(companyId, userId));
  return toChoices(row);
}

/** Loads the role of a member of the practice. */
export async function loadRole(db: Db | Tx, companyId: string, userId: string): Promise<PracticeRole | undefined> {
  const [membership] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .where(
      and(
        eq(memberships.companyId, companyId),
        eq(memberships.userId, userId),
        inArray(memberships.role, ['practice_admin', 'team_member']),
      ),
    );
  return membership?.role as PracticeRole | undefined;
}

export async function getChoices(
  { database: { db } }: AppDeps,
  { tenant, actor }: Pick<Call<typeof staffNotificationsApi.choices>, 'tenant' | 'actor'>,
): Promise<Choices> {
  const companyId = tenant.practiceId;
  const choices = await loadChoices(db, companyId, actor.userId);
  const role: PracticeRole = actor.role === 'practice_admin' ? 'practice_admin' : 'team_member';
  const mutedRows = await db
    .select({ client_id: clients.id, name: clients.name })
    .from(mutedClients)
    .innerJoin(clients, and(eq(clients.companyId, mutedClients.companyId), eq(clients.id, mutedClients.clientId)))
    .where(
      and(
        eq(mutedClients.companyId, companyId),
        eq(mutedClients.userId, actor.userId),
        isVisibleTo(actor, mutedClients.companyId, mutedClients.clientId),
      ),
    )
    .orderBy(asc(clients.name), asc(clients.id));
  return {
    kinds: NOTIFICATION_KINDS.map((kind) => ({
      kind,
      ...getChannels(kind, role, choices),
      is_required: NOTIFICATION_KIND_FACTS[kind].isRequired === true,
    })),
    digest: choices.digest,
    quiet: choices.quiet,
    muted: mutedRows,
  };
}

export async function saveChoices(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof staffNotificationsApi.saveChoices>,
): Promise<Choices> {
  const companyId = tenant.practiceId;
  const { kinds, digest, quiet } = input;
  const role: PracticeRole = actor.role === 'practice_admin' ? 'practice_admin' : 'team_member';
  // Only differences from the role’s defaults are stored, so that a change of role or of a default takes effect.
  const channels: Partial<Record<NotificationKind, Channels>> = {};
  for (const { kind, portal, email } of kinds) {
    const defaultChannels = NOTIFICATION_KIND_FACTS[kind].defaults[role];
    if (NOTIFICATION_KIND_FACTS[kind].isRequired !== true && (defaultChannels.portal !== portal || defaultChannels.email !== email))
      channels[kind] = { portal, email };
  }
  await deps.database.db.transaction(async (tx) => {
    const existing = await loadChoices(tx, companyId, actor.userId);
    // A digest chosen in the afternoon starts the next day, because the member didn't miss this morning’s.
    const isTooLate = digest !== existing.digest && isAfterDigests(deps.clock.now());
    const quietHours = { quietFrom: quiet?.from ?? null, quietTo: quiet?.to ?? null };
    const row = { channels, digest, ...quietHours, ...(isTooLate ? { digestOn: deps.clock.today() } : {}) };
    await tx
      .insert(staffNotificationChoices)
      .values({ companyId, userId: actor.userId, ...row })
      .onConflictDoUpdate({ target: [staffNotificationChoices.companyId, staffNotificationChoices.userId], set: row });
    const entry = { companyId, at: deps.clock.now(), actor: actor.userId, action: 'notifications.choices_saved', subject: actor.userId };
    await recordAudit(tx, { ...entry, after: { channels, digest, quiet }, ip: caller.ip });
  });
  return getChoices(deps, { tenant, actor });
}

/** Sets whether the client is muted. Repeating it has no effect. */
export async function muteClient(
  { database: { db } }: AppDeps,
  { input, tenant, actor }: Call<typeof staffNotificationsApi.mute>,
): Promise<{ done: true }> {
  const { practiceId: companyId, clientId } = tenant;
  const row = { companyId, userId: actor.userId, clientId };
  if (input.is_muted) await db.insert(mutedClients).values(row).onConflictDoNothing();
  else {
    await db
      .delete(mutedClients)
      .where(and(eq(mutedClients.companyId, companyId), eq(mutedClients.userId, actor.userId), eq(mutedClients.clientId, clientId)));
  }
  return { done: true };
}
