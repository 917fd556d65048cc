/**
 * Notifies members of a practice about events, in the caller's transaction, through each member's chosen channels. An event notifies a
 * member only once.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { isInIdList } from '@portal/db/in-id-list.ts';
import { clientMembers, memberships, mutedClients, staffNotificationChoices, staffNotifications, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, inArray } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { PracticeRole } from '@portal/domain/identity/roles.ts';
import { decideDelivery, getQuietHoursEnd } from '@portal/domain/staff-notifications/decide-delivery.ts';
import { NOTIFICATION_KIND_FACTS } from '@portal/domain/staff-notifications/notification-kind-facts.ts';
import type { NotificationKind } from '@portal/domain/staff-notifications/notification-kinds.ts';
import type { AppDeps } from '../../app-deps.ts';
import { emailNotifications, type NotificationEmail } from './notification-emails.ts';
import { toChoices } from './notification-choices.ts';

export type NotificationEvent = {
  readonly kind: NotificationKind;
  /** Identifies the event within its kind. */
  readonly key: string;
  readonly clientId?: string | null;
  readonly title: string;
  /** Below /portal. */
  readonly path: string;
  readonly userIds: readonly string[];
  /** The email, if it contains more than the title. After quiet hours and in digests, only the title is sent. */
  readonly email?: NotificationEmail;
};

/** Rows are inserted in groups to keep within PostgreSQL's limit on parameters. */
const INSERT_SIZE = 500;

type NewRow = typeof staffNotifications.$inferInsert;

export async function notify(deps: AppDeps, tx: Tx, companyId: string, events: readonly NotificationEvent[]): Promise<void> {
  const recipients = await loadUsers(tx, companyId, [...new Set(events.flatMap(({ userIds }) => userIds))]);
  if (recipients.size === 0) return;
  const mutedClients = await loadMutedClients(tx, companyId, events);
  const now = deps.clock.now();
  const rows = events.flatMap((event) =>
    [...new Set(event.userIds)].flatMap((userId) => {
      const recipient = recipients.get(userId);
      return recipient
        ? toRow({ companyId, now, event, userId, person: recipient, isMuted: mutedClients.has(`${userId} ${event.clientId}`) })
        : [];
    }),
  );
  const rowsToEmail: NewRow[] = [];
  for (let start = 0; start < rows.length; start += INSERT_SIZE) {
    const insertedNotifications = await tx
      .insert(staffNotifications)
      .values(rows.slice(start, start + INSERT_SIZE))
      .onConflictDoNothing()
      .returning();
    rowsToEmail.push(...insertedNotifications.filter(({ emailedAt }) => emailedAt !== null));
  }
  const emails = new Map(events.map(({ kind, key, email }) => [`${kind} ${key}`, email]));
  for (const [userId, recipient] of recipients) {
    const userRows = rowsToEmail.filter((row) => row.userId === userId);
    await emailNotifications(deps, tx, { companyId, userId, address: recipient.email }, userRows, (row) =>
      emails.get(`${row.kind} ${row.key}`),
    );
  }
}

type NotifiedMember = { readonly email: string; readonly role: PracticeRole; readonly choices: ReturnType<typeof toChoices> };

type Delivery = {
  readonly companyId: string;
  readonly now: Instant;
  readonly event: NotificationEvent;
  readonly userId: string;
  readonly person: NotifiedMember;
  readonly isMuted: boolean;
};

function toRow({ companyId, now, event, userId, person: { role, choices }, isMuted }: Delivery): NewRow[] {
  const { kind, key, clientId = null, title, path } = event;
  const { portal: isInPortal, email } = decideDelivery(kind, role, choices, isMuted);
  if (!isInPortal && email === 'off') return [];
  const quietEnd = NOTIFICATION_KIND_FACTS[kind].isRequired === true ? null : getQuietHoursEnd(now, choices.quiet);
  const isLeaving = email === 'now' && quietEnd === null;
  const times = { createdAt: now, emailAt: email === 'now' ? (quietEnd ?? now) : null, emailedAt: isLeaving ? now : null };
  return [{ companyId, userId, id: randomUUID(), kind, key, clientId, title, path, isInPortal, email, ...times }];
}

/** Loads the current members of the practice. */
async function loadUsers(tx: Tx, companyId: string, userIds: readonly string[]): Promise<Map<string, NotifiedMember>> {
  if (userIds.length === 0) return new Map();
  const rows = await tx
    .select({ userId: users.id, email: users.email, role: memberships.role, choices: staffNotificationChoices })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(
      staffNotificationChoices,
      and(eq(staffNotificationChoices.companyId, memberships.companyId), eq(staffNotificationChoices.userId, memberships.userId)),
    )
    .where(
      and(
        eq(memberships.companyId, companyId),
        isInIdList(memberships.userId, userIds),
        inArray(memberships.role, ['practice_admin', 'team_member']),
      ),
    )
    .orderBy(asc(users.email));
  return new Map(
    rows.map(({ userId, email, role, choices }) => [userId, { email, role: role as PracticeRole, choices: toChoices(choices) }]),
  );
}

async function loadMutedClients(tx: Tx, companyId: string, events: readonly NotificationEvent[]): Promise<Set<string>> {
  const clientIds = [...new Set(events.flatMap(({ clientId }) => clientId ?? []))];
  if (clientIds.length === 0) return new Set();
  const rows = await tx
    .select({ userId: mutedClients.userId, clientId: mutedClients.clientId })
    .from(mutedClients)
    .where(and(eq(mutedClients.companyId, companyId), isInIdList(mutedClients.clientId, clientIds)));
  return new Set(rows.map(({ userId, clientId }) => `${userId} ${clientId}`));
}

export async function listAdminIds(tx: Tx, companyId: string): Promise<string[]> {
  const rows = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), eq(memberships.role, 'practice_admin')));
  return rows.map(({ userId }) => userId);
}

/** Lists the members assigned to each client, or the admins if no one is assigned. */
export async function listClientTeams(
  tx: Tx,
  companyId: string,
  clientIds: readonly string[],
): Promise<(clientId: string) => readonly string[]> {
  const rows = await tx
    .selectDistinct({ clientId: clientMembers.clientId, userId: clientMembers.userId })
    .from(clientMembers)
    .innerJoin(memberships, and(eq(memberships.companyId, clientMembers.companyId), eq(memberships.userId, clientMembers.userId)))
    .where(and(eq(clientMembers.companyId, companyId), isInIdList(clientMembers.clientId, clientIds)));
  const teams = new Map<string, string[]>();
  for (const { clientId, userId } of rows) teams.set(clientId, [...(teams.get(clientId) ?? []), userId]);
  const admins = await listAdminIds(tx, companyId);
  return (clientId) => teams.get(clientId) ?? admins;
}
