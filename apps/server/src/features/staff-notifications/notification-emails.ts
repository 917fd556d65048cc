/** Emails for notifications: one per kind and recipient, so that a hundred simultaneous events cause only one email. */
import { getSettingsPath } from '@portal/contract/practice.ts';
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { companies, type staffNotifications } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { NOTIFICATION_KIND_FACTS } from '@portal/domain/staff-notifications/notification-kind-facts.ts';
import type { NotificationKind } from '@portal/domain/staff-notifications/notification-kinds.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { EmailContent } from '../../mail/email-content.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { createUnsubscribePath } from './unsubscribe.ts';

export type NotificationEmail = Omit<EmailContent, 'reason' | 'unsubscribePath'> & { readonly reason?: string };

type NotificationRow = Pick<typeof staffNotifications.$inferInsert, 'kind' | 'key' | 'title' | 'path'>;
type Recipient = { readonly companyId: string; readonly userId: string; readonly address: string };

const MAX_LISTED = 20;

/** `findEmail` returns the email for an event that needs more than its title. */
export async function emailNotifications(
  deps: AppDeps,
  tx: Tx,
  { companyId, userId, address }: Recipient,
  rows: readonly NotificationRow[],
  findEmail: (row: NotificationRow) => NotificationEmail | undefined = () => undefined,
): Promise<void> {
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const [first, ...more] = rows.filter((row) => row.kind === kind);
    if (!first) continue;
    const content = more.length > 0 ? summarise(companyId, kind, [first, ...more]) : (findEmail(first) ?? describeNotification(first));
    const isRequired = NOTIFICATION_KIND_FACTS[kind].isRequired === true;
    const end = isRequired ? {} : { unsubscribePath: await createUnsubscribePath(deps, tx, { companyId, userId }, kind) };
    const reason = content.reason ?? (await getReason(deps, tx, companyId, kind));
    await enqueueEmail(deps, tx, address, { ...content, reason, ...end, sentFor: { companyId, ...(isRequired && { isEssential: true }) } });
  }
}

async function getReason(deps: AppDeps, tx: Tx, companyId: string, kind: NotificationKind): Promise<string> {
  const [practice] = await tx.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
  const { label } = NOTIFICATION_KIND_FACTS[kind];
  return `You’re receiving this because you work with ${practice?.name ?? 'a practice'} on ${deps.site.brand}. You can change this in Settings, Notifications: “${label}”.`;
}

function describeNotification({ title, path }: NotificationRow): NotificationEmail {
  return { subject: title, preheader: title, heading: title, paragraphs: [], action: { label: 'Open', path } };
}

function summarise(companyId: string, kind: NotificationKind, rows: readonly NotificationRow[]): NotificationEmail {
  const { label } = NOTIFICATION_KIND_FACTS[kind];
  const subject = `${label}: ${rows.length.toLocaleString('en-GB')} notifications`;
  const titles = rows.slice(0, MAX_LISTED).map(({ title }) => title);
  const remainingLines = rows.length > MAX_LISTED ? [`And ${(rows.length - MAX_LISTED).toLocaleString('en-GB')} more.`] : [];
  return {
    subject,
    preheader: titles[0] ?? subject,
    heading: subject,
    paragraphs: [titles.join('\n'), ...remainingLines],
    action: { label: 'See all', path: `${PAGES.staffNotifications.path}?company_id=${companyId}` },
  };
}

export const getNotificationSettingsPath = (companyId: string): string => `${getSettingsPath('notifications')}?company_id=${companyId}`;
