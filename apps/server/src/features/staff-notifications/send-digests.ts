/**
 * The morning digest, sent later that day if it was missed: changes in clients' figures, items due in the next seven days, the member's own
 * tasks, and notifications that they chose to get in it. The facts are loaded once per practice. Which clients a member sees is decided
 * here, as in lists (positions/visible-clients.ts).
 */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { companies, memberships, staffNotificationChoices, staffNotifications, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, isNull, lt, or, sql } from '@portal/db/sql.ts';
import { toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { getDayOfWeek, type PlainDate } from '@portal/domain/plain-date.ts';
import { isAfterDigests, isDigestTime } from '@portal/domain/staff-notifications/decide-delivery.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { composeDigest, type DigestNotification } from './compose-digest.ts';
import { loadDigestFacts, selectFacts, type DigestFacts } from './digest-facts.ts';
import { getNotificationSettingsPath } from './notification-emails.ts';
import { toChoices } from './notification-choices.ts';
import { createUnsubscribePath } from './unsubscribe.ts';

type Reader = Awaited<ReturnType<typeof listReaders>>[number];

export async function sendDigests(deps: AppDeps): Promise<void> {
  const readers = await listReaders(deps);
  await tryEach([...new Set(readers.map(({ companyId }) => companyId))], async (companyId) => {
    const { db } = deps.database;
    const companyReaders = readers.filter((reader) => reader.companyId === companyId);
    const today = deps.clock.today();
    const facts = await loadDigestFacts(db, companyId, { today, isWeekly: companyReaders.some(({ digest }) => digest === 'weekly') });
    await tryEach(companyReaders, (reader) => db.transaction((tx) => sendDigest(deps, tx, { reader, facts, today })));
  });
}

/** Lists members whose digest is due now. */
async function listReaders({ database: { db }, clock }: AppDeps) {
  const today = clock.today();
  const rows = await db
    .select({
      companyId: memberships.companyId,
      practice: companies.name,
      userId: memberships.userId,
      address: users.email,
      role: memberships.role,
      joinedAt: memberships.createdAt,
      choices: staffNotificationChoices,
    })
    .from(memberships)
    .innerJoin(companies, and(eq(companies.id, memberships.companyId), eq(companies.kind, 'practice'), isNull(companies.closedAt)))
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(
      staffNotificationChoices,
      and(eq(staffNotificationChoices.companyId, memberships.companyId), eq(staffNotificationChoices.userId, memberships.userId)),
    )
    .where(
      and(
        sql`${memberships.role} in ('practice_admin', 'team_member')`,
        or(isNull(staffNotificationChoices.digestOn), lt(staffNotificationChoices.digestOn, today)),
      ),
    )
    .orderBy(asc(memberships.companyId), asc(users.email));
  const [now, weekday] = [clock.now(), getDayOfWeek(today)];
  // A member who joined after this morning hasn’t missed the digest.
  const wasThere = (joinedAt: Instant) => !isAfterDigests(now) || toLondonDate(joinedAt) < today || !isAfterDigests(joinedAt);
  return rows.flatMap(({ choices: row, joinedAt, ...person }) => {
    const choices = toChoices(row);
    return wasThere(joinedAt) && isDigestTime(now, weekday, choices)
      ? [{ ...person, digest: choices.digest, isAdmin: person.role === 'practice_admin' }]
      : [];
  });
}

type Digest = { readonly reader: Reader; readonly facts: DigestFacts; readonly today: PlainDate };

/** One transaction: the email is queued if and only if the day is recorded as done. An empty digest isn't sent. */
async function sendDigest(deps: AppDeps, tx: Tx, { reader, facts, today }: Digest): Promise<void> {
  const { companyId, userId, digest } = reader;
  const [takenDigest] = await tx
    .insert(staffNotificationChoices)
    .values({ companyId, userId, digestOn: today })
    .onConflictDoUpdate({
      target: [staffNotificationChoices.companyId, staffNotificationChoices.userId],
      set: { digestOn: today },
      // Another instance may just have sent it, or the member may just have turned it off.
      setWhere: sql`(${staffNotificationChoices.digestOn} is null or ${staffNotificationChoices.digestOn} < ${today}) and ${staffNotificationChoices.digest} = ${digest}`,
    })
    .returning({ userId: staffNotificationChoices.userId });
  if (!takenDigest) return;
  const notifications = await claimNotifications(deps, tx, companyId, userId);
  const readerFacts = selectFacts(facts, { userId, isAdmin: reader.isAdmin, isWeekly: digest === 'weekly' });
  const content = composeDigest({
    ...readerFacts,
    notifications,
    today,
    isWeekly: digest === 'weekly',
    isMorning: !isAfterDigests(deps.clock.now()),
    practice: reader.practice,
  });
  if (!content) return;
  await enqueueEmail(deps, tx, reader.address, {
    ...content,
    action: { label: 'Open Today', path: `${PAGES.practiceDashboard.path}?company_id=${companyId}` },
    reason: `You’re receiving this because you work with ${reader.practice} on ${deps.site.brand}. You can change or stop these emails in Settings, Notifications: ${deps.site.publicUrl}/portal${getNotificationSettingsPath(companyId)}`,
    unsubscribePath: await createUnsubscribePath(deps, tx, { companyId, userId }, 'digest'),
    sentFor: { companyId },
  });
}

async function claimNotifications({ clock }: AppDeps, tx: Tx, companyId: string, userId: string): Promise<DigestNotification[]> {
  return tx
    .update(staffNotifications)
    .set({ emailedAt: clock.now() })
    .where(
      and(
        eq(staffNotifications.companyId, companyId),
        eq(staffNotifications.userId, userId),
        eq(staffNotifications.email, 'digest'),
        isNull(staffNotifications.emailedAt),
      ),
    )
    .returning({ kind: staffNotifications.kind, title: staffNotifications.title });
}
