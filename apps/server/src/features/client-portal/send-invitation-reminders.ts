/** Reminds invited users on a schedule that ends automatically (domain/clients/invitation-state.ts). */
import type { Tx } from '@portal/db/database.ts';
import { clientInvitations, clients, undeliverableAddresses, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, gt, isNotNull, isNull, lt, lte, notInArray, or, sql, type SQL } from '@portal/db/sql.ts';
import { FORMER_STATUSES } from '@portal/domain/clients/client.ts';
import { getNextReminderAt, MAX_REMINDERS, REMINDER_DAYS_LEFT } from '@portal/domain/clients/invitation-state.ts';
import { addMilliseconds, toLondonDate } from '@portal/domain/clock.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import { generateToken, hashToken } from '../../http/session.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { enqueueClientInvitation } from './client-portal-emails.ts';

const DAY_MS = 86_400_000;

type Invitation = typeof clientInvitations.$inferSelect;

/** The maximum number of invitations in one run. The next run continues. */
const BATCH_SIZE = 500;

/** Sends one email for each invitation whose next reminder is due. After downtime it sends one reminder, not every one it missed. */
export async function sendInvitationReminders(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const dueInvitations = await db
    .select({ invitation: clientInvitations })
    .from(clientInvitations)
    .innerJoin(clients, and(eq(clients.companyId, clientInvitations.companyId), eq(clients.id, clientInvitations.clientId)))
    .where(and(buildRemindableFilter(deps), isReminderDue(deps), notInArray(clients.status, FORMER_STATUSES)))
    .orderBy(asc(clientInvitations.expiresAt))
    .limit(BATCH_SIZE);
  await tryEach(dueInvitations, ({ invitation }) => db.transaction((tx) => remind(deps, tx, invitation)));
}

/** Returns the SQL condition that corresponds to getNextReminderAt. */
function isReminderDue({ wallClock }: AppDeps): SQL | undefined {
  return or(
    ...REMINDER_DAYS_LEFT.map((days, sentReminders) =>
      and(
        eq(clientInvitations.reminders, sentReminders),
        lte(clientInvitations.expiresAt, addMilliseconds(wallClock.now(), days * DAY_MS)),
      ),
    ),
  );
}

/**
 * Matches invitations that are open and sent, have a deliverable address, and whose user hasn't turned reminders off. A reminder replaces
 * the link, so it must arrive.
 */
function buildRemindableFilter({ wallClock }: AppDeps): SQL | undefined {
  const { acceptedAt, revokedAt, bouncedAt, remindersEndedAt, reminders, expiresAt, sentAt } = clientInvitations;
  return and(
    isNotNull(sentAt),
    isNull(acceptedAt),
    isNull(revokedAt),
    isNull(bouncedAt),
    isNull(remindersEndedAt),
    sql`not exists (select from ${undeliverableAddresses} where ${undeliverableAddresses.companyId} = ${clientInvitations.companyId}
      and ${undeliverableAddresses.email} = lower(${clientInvitations.email}))`,
    lt(reminders, MAX_REMINDERS),
    gt(expiresAt, wallClock.now()),
  );
}

function isDue({ wallClock }: AppDeps, { expiresAt, reminders }: Invitation): boolean {
  const next = expiresAt && getNextReminderAt(expiresAt, reminders);
  return next !== null && next <= wallClock.now();
}

async function remind(deps: AppDeps, tx: Tx, { companyId, id, reminders: sentReminders }: Invitation): Promise<void> {
  const isThis = and(eq(clientInvitations.companyId, companyId), eq(clientInvitations.id, id));
  const [lockedInvitation] = await tx
    .select({ invitation: clientInvitations, inviter: { userId: users.id, fullName: users.fullName } })
    .from(clientInvitations)
    .innerJoin(users, eq(users.id, clientInvitations.invitedBy))
    .where(and(isThis, buildRemindableFilter(deps), eq(clientInvitations.reminders, sentReminders)))
    .for('update', { of: clientInvitations });
  // Another instance has just reminded the user, or the user has just accepted.
  if (!lockedInvitation || lockedInvitation.invitation.expiresAt === null) return;
  const { clientId, email, expiresAt } = lockedInvitation.invitation;
  // Only a link's hash is stored, so each email needs a new link. The expiry date doesn't change, so the reminders end.
  const token = generateToken();
  let reminders = sentReminders;
  do reminders += 1;
  while (isDue(deps, { ...lockedInvitation.invitation, reminders }));
  await tx
    .update(clientInvitations)
    .set({ tokenHash: hashToken(token), reminders })
    .where(isThis);
  const reminderUntil = formatDate(toLondonDate(expiresAt));
  await enqueueClientInvitation(deps, tx, {
    practiceId: companyId,
    clientId,
    email,
    token,
    inviter: lockedInvitation.inviter,
    reminderUntil,
  });
}
