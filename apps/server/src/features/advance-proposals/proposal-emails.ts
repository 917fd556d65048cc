/** The only email about a proposed early refund. Every user of the client gets it when the refund is proposed. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import { getLastStartDay } from '@portal/domain/advance-proposals/proposal-stage.ts';
import { toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { formatDate, formatPeriod, type PlainDate } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { EmailContent } from '../../mail/email-content.ts';
import { enqueueClientEmail } from '../client-emails/enqueue-client-email.ts';
import { listPeopleEmails } from '../client-files/client-file-emails.ts';
import { getNames } from '../client-portal/client-portal-emails.ts';

type ProposedRefund = {
  readonly id: string;
  readonly proposer: string;
  readonly proposedBy: string;
  readonly periodStart: PlainDate;
  readonly periodEnd: PlainDate;
  readonly refundPence: Pence;
  readonly note: string;
  readonly proposedAt: Instant;
};

/** The email doesn't state a price: the offer does, and only the client sees that. */
export async function enqueueProposal(deps: AppDeps, tx: Tx, tenant: ClientTenant, proposedRefund: ProposedRefund): Promise<void> {
  const { client, practice, sender } = await getNames(tx, tenant);
  const period = formatPeriod(proposedRefund.periodStart, proposedRefund.periodEnd);
  for (const to of await listPeopleEmails(tx, tenant)) {
    const content: EmailContent = {
      sender,
      subject: `${client}: you could have your VAT refund early`,
      preheader: `${practice} suggests this for ${period}. It’s your choice.`,
      heading: 'You could have your VAT refund early',
      paragraphs: [
        `HMRC usually repays within 30 days. ${proposedRefund.proposer} from ${practice} suggests that ${client} sells its refund for ${period} to InstantVAT, which would pay it sooner for a fee. You’ll get an offer once the return is filed.`,
        ...(proposedRefund.note === '' ? [] : [`${proposedRefund.proposer} writes: “${proposedRefund.note}”`]),
        'Log in to see how it works and what it costs. You can decline, and you don’t have to respond.',
      ],
      facts: [
        ['Period', period],
        ['Refund', formatPounds(proposedRefund.refundPence)],
        ['Open until', formatDate(getLastStartDay(toLondonDate(proposedRefund.proposedAt)))],
      ],
      action: { label: 'See the proposal', path: `${PAGES.clientsPortalDashboard.path}?company_id=${tenant.clientId}` },
      notes: [`Only you can accept an offer. ${practice} can’t accept it for you and doesn’t see your bank details.`],
      reason: `You’re receiving this because ${practice} gave you access to ${client} on ${deps.site.brand}.`,
    };
    const { practiceId, clientId } = tenant;
    await enqueueClientEmail(deps, tx, {
      practiceId,
      clientId,
      to,
      sentBy: proposedRefund.proposedBy,
      content,
      neededFor: { kind: 'proposal', id: proposedRefund.id },
    });
  }
}
