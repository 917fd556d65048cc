/** One-click unsubscribing (RFC 8058): a link bound to one user, practice and kind of email. Only its hash is stored. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { staffNotificationsApi } from '@portal/contract/staff-notifications.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { companies, staffNotificationChoices, unsubscribeLinks } from '@portal/db/schema/schema.ts';
import { and, eq, lt } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { getChannels } from '@portal/domain/staff-notifications/decide-delivery.ts';
import { NOTIFICATION_KIND_FACTS } from '@portal/domain/staff-notifications/notification-kind-facts.ts';
import type { NotificationKind } from '@portal/domain/staff-notifications/notification-kinds.ts';
import type { AppDeps } from '../../app-deps.ts';
import { generateToken, hashToken } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { limitAttempts, toNetwork } from '../identity/limit-attempts.ts';
import { loadChoices, loadRole } from './notification-choices.ts';

/** The page that an email's unsubscribe button opens. Email clients post to the same URL. */
export const UNSUBSCRIBE_PATH = '/unsubscribe';
const UNSUBSCRIBE_LINK_TTL_DAYS = 400;
const MAX_LINKS_PER_NETWORK = 100;

type EmailKind = NotificationKind | 'digest';
type Owner = { readonly companyId: string; readonly userId: string };

/** Creates a new link for one email and returns its path. */
export async function createUnsubscribePath({ wallClock }: AppDeps, tx: Tx, owner: Owner, kind: EmailKind): Promise<string> {
  const token = generateToken();
  await tx.insert(unsubscribeLinks).values({ ...owner, tokenHash: hashToken(token), kind, createdAt: wallClock.now() });
  return `${UNSUBSCRIBE_PATH}?link=${token}`;
}

async function findLink(db: Db | Tx, token: string) {
  const [link] = await db
    .select({
      companyId: unsubscribeLinks.companyId,
      userId: unsubscribeLinks.userId,
      kind: unsubscribeLinks.kind,
      practice: companies.name,
    })
    .from(unsubscribeLinks)
    .innerJoin(companies, eq(companies.id, unsubscribeLinks.companyId))
    .where(eq(unsubscribeLinks.tokenHash, hashToken(token)));
  if (link) return link;
  const message = 'This link doesn’t work. Log in and choose your emails in Settings, Notifications.';
  throw new AppError('notFound', 'unsubscribe.unknown_link', message);
}

const getLabel = (kind: EmailKind): string => (kind === 'digest' ? 'Digest' : NOTIFICATION_KIND_FACTS[kind].label);

export async function readUnsubscribeLink(
  deps: AppDeps,
  token: string,
  ip: string,
): Promise<EndpointOutput<typeof staffNotificationsApi.unsubscribeLink>> {
  const { db } = deps.database;
  await limitLinks(deps, ip);
  const { companyId, userId, kind, practice } = await findLink(db, token);
  const choices = await loadChoices(db, companyId, userId);
  const role = await loadRole(db, companyId, userId);
  const isOn = role !== undefined && (kind === 'digest' ? choices.digest !== 'off' : getChannels(kind, role, choices).email !== 'off');
  return { practice, label: getLabel(kind), is_on: isOn };
}

/** Stops emails of the link's kind, even for a user who isn't logged in. Repeating it has no effect. */
export async function unsubscribe(
  deps: AppDeps,
  token: string,
  ip: string,
): Promise<EndpointOutput<typeof staffNotificationsApi.unsubscribe>> {
  await limitLinks(deps, ip);
  return deps.database.db.transaction(async (tx) => {
    const { companyId, userId, kind, practice } = await findLink(tx, token);
    await tx.insert(staffNotificationChoices).values({ companyId, userId }).onConflictDoNothing();
    const isOwn = and(eq(staffNotificationChoices.companyId, companyId), eq(staffNotificationChoices.userId, userId));
    const [row] = await tx.select().from(staffNotificationChoices).where(isOwn).for('update');
    const role = await loadRole(tx, companyId, userId);
    const label = getLabel(kind);
    if (!row || role === undefined) return { practice, label };
    if (kind === 'digest') {
      if (row.digest === 'off') return { practice, label };
      await tx.update(staffNotificationChoices).set({ digest: 'off' }).where(isOwn);
    } else {
      const currentChannels = getChannels(kind, role, { channels: row.channels, digest: row.digest, quiet: null });
      if (currentChannels.email === 'off') return { practice, label };
      await tx
        .update(staffNotificationChoices)
        .set({ channels: { ...row.channels, [kind]: { ...currentChannels, email: 'off' } } })
        .where(isOwn);
    }
    const action = 'notifications.unsubscribed';
    await recordAudit(tx, { companyId, at: deps.clock.now(), actor: userId, action, subject: userId, after: { kind }, ip });
    return { practice, label };
  });
}

function limitLinks({ database, wallClock }: AppDeps, ip: string): Promise<void> {
  return limitAttempts(database.db, wallClock, { [`link-ip:${toNetwork(ip)}`]: MAX_LINKS_PER_NETWORK });
}

export async function purgeUnsubscribeLinks({ database: { db }, wallClock }: AppDeps): Promise<void> {
  await db
    .delete(unsubscribeLinks)
    .where(lt(unsubscribeLinks.createdAt, addMilliseconds(wallClock.now(), -UNSUBSCRIBE_LINK_TTL_DAYS * 86_400_000)));
}
