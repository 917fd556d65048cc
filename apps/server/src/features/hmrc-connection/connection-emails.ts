/** Emails about a connection that has ended or soon will: one to each user who can reconnect, with a link to do so. */
import { PAGES } from '@portal/contract/pages.ts';
import type { CompanyKind } from '@portal/domain/identity/roles.ts';
import type { Tx } from '@portal/db/database.ts';
import { companies, type ConnectionEndReason } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { countDaysBetween, formatDate } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import { listRolesWith } from '../../http/policies.ts';
import type { EmailContent } from '../../mail/email-content.ts';
import { enqueueEmailToRoles, type EmailedCompany } from '../../mail/enqueue-email.ts';
import { listAdminIds, notify } from '../staff-notifications/notify.ts';
import { getReconnectPath } from '../connections/get-reconnect-path.ts';

export type ConnectionChange =
  | { readonly change: 'ended'; readonly reason: ConnectionEndReason; readonly connectedAt: Instant | null }
  | { readonly change: 'ending'; readonly endsAt: Instant };

/** Queues the emails in the caller's transaction, so that they are sent if and only if the change is recorded. */
export async function enqueueConnectionEmails(deps: AppDeps, tx: Tx, companyId: string, change: ConnectionChange): Promise<void> {
  const { brand } = deps.site;
  const today = deps.clock.today();
  const isMoved = change.change === 'ended' && change.reason === 'vat_number_moved';
  const compose = ({ name, kind }: EmailedCompany) => ({
    ...composeEmail(change, { name, kind, brand, today }),
    action: isMoved
      ? { label: 'Contact us', path: PAGES.contact.path }
      : { label: 'Connect HMRC again', path: getReconnectPath(kind, companyId) },
    reason: `You’re receiving this because you manage ${name}’s HMRC connection.`,
  });
  const [company] = await tx.select({ name: companies.name, kind: companies.kind }).from(companies).where(eq(companies.id, companyId));
  if (company?.kind !== 'practice') return enqueueEmailToRoles(deps, tx, companyId, listRolesWith('company.manage'), compose);
  const email = compose(company);
  const key = change.change === 'ended' ? `ended ${change.connectedAt}` : `ending ${change.endsAt} ${today}`;
  const event = { kind: 'hmrc_connection', key, title: email.heading, path: email.action.path, email } as const;
  await notify(deps, tx, companyId, [{ ...event, userIds: await listAdminIds(tx, companyId) }]);
}

type EmailContext = {
  readonly name: string;
  readonly kind: CompanyKind;
  readonly brand: string;
  readonly today: ReturnType<typeof toLondonDate>;
};
type EmailText = Pick<EmailContent, 'subject' | 'preheader' | 'heading' | 'paragraphs'>;

function composeEmail(change: ConnectionChange, { name, kind, brand, today }: EmailContext): EmailText {
  if (change.change === 'ending') {
    const endsOn = toLondonDate(change.endsAt);
    return {
      subject: `${name}: your HMRC connection ends on ${formatDate(endsOn)}`,
      preheader: 'Renew the permission before then to avoid any interruption.',
      heading: `Your HMRC connection ends ${formatDaysAhead(countDaysBetween(today, endsOn))}`,
      paragraphs: [
        `HMRC permissions last 18 months and can’t be extended. The permission that ${name} gave ${brand} ends on ${formatDate(endsOn)}, ${formatDaysAhead(countDaysBetween(today, endsOn))}.`,
        'Renew the permission before then to avoid any interruption.',
        `After that, ${CONSEQUENCES[kind]}`,
      ],
    };
  }
  if (change.reason === 'vat_number_moved') return composeMovedEmail(name);
  const givenOn = change.connectedAt === null ? '' : ` on ${formatDate(toLondonDate(change.connectedAt))}`;
  return {
    subject: `${name}: the connection to HMRC has ended`,
    preheader: 'Connect again so that we can get new figures from HMRC.',
    heading: 'The connection to HMRC has ended',
    paragraphs: [
      END_EXPLANATIONS[change.reason](`${name} gave ${brand}${givenOn}`),
      `Until you give permission again, ${CONSEQUENCES[kind]}`,
      'You can still see the figures we have, with their dates, but we can’t refresh them until you reconnect. Everything you filed is safe.',
    ],
  };
}

/** The holder can't connect again, because the VAT number now belongs to another company here. */
function composeMovedEmail(name: string): EmailText {
  return {
    subject: `${name}: the connection to HMRC has ended`,
    preheader: 'Its VAT number is now used by another account.',
    heading: 'The connection to HMRC has ended',
    paragraphs: [
      `Our team has moved ${name}’s VAT number to another account, because the business asked us to. So we’ve ended your connection to HMRC and withdrawn offers that weren’t accepted.`,
      'You can still see the figures we have, with their dates. Everything you filed is safe.',
      'If this is your business and you didn’t expect this, contact us at once.',
    ],
  };
}

const END_EXPLANATIONS: Readonly<Record<Exclude<ConnectionEndReason, 'vat_number_moved'>, (givenOn: string) => string>> = {
  expired: (givenOn) => `HMRC permissions last 18 months. The permission that ${givenOn} has ended.`,
  refused: (givenOn) =>
    `HMRC no longer accepts the permission that ${givenOn}. Either someone withdrew it at HMRC, or the connection failed while HMRC was renewing it.`,
  arn_changed: (givenOn) => `The agent reference number was changed, so the permission that ${givenOn} for the old number has ended.`,
};

const CONSEQUENCES: Readonly<Record<CompanyKind, string>> = {
  trader: 'we can’t get new figures from HMRC, file a return or offer you an early refund. Your returns are still due on the same dates.',
  client: 'we can’t get new figures from HMRC.',
  practice:
    'we can’t get your clients’ VAT and Self Assessment figures from HMRC or handle authorisation requests. Returns are still due on the same dates.',
};

function formatDaysAhead(days: number): string {
  return days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`;
}
