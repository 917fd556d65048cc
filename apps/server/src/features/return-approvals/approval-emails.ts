/** Emails about the approval of a return: to the client's users, and to the practice member who requested it. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientPeople, users, type FiledBoxes } from '@portal/db/schema/schema.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate, formatPeriod, type PlainDate } from '@portal/domain/plain-date.ts';
import { and, asc, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { EmailContent, EmailFact } from '../../mail/email-content.ts';
import { enqueueClientEmail } from '../client-emails/enqueue-client-email.ts';
import { listAskerOrResponsible } from '../client-requests/client-request-emails.ts';
import { getNames } from '../client-portal/client-portal-emails.ts';
import { notify } from '../staff-notifications/notify.ts';

type ClientKey = { readonly practiceId: string; readonly clientId: string };
type SentApproval = ClientKey & {
  readonly approvalId: string;
  readonly obligationId: string;
  readonly periodStart: PlainDate;
  readonly periodEnd: PlainDate;
  /** The practice member who gets the replies. */
  readonly sentBy: string;
};

/** Box 5 in words. */
export function toResultFact({ direction, box5_pence: box5 }: FiledBoxes): EmailFact {
  switch (direction) {
    case 'repayment':
      return ['Refund from HMRC', formatPounds(box5)];
    case 'payment':
      return ['To pay to HMRC', formatPounds(box5)];
    case 'nil':
      return ['To pay or reclaim', formatPounds(box5)];
  }
}

export async function listClientEmails(tx: Tx, { practiceId, clientId }: ClientKey): Promise<string[]> {
  const recipients = await tx
    .select({ email: users.email })
    .from(clientPeople)
    .innerJoin(users, eq(users.id, clientPeople.userId))
    .where(and(eq(clientPeople.companyId, practiceId), eq(clientPeople.clientId, clientId)))
    .orderBy(asc(users.email));
  return recipients.map(({ email }) => email);
}

const getOwnLink = ({ clientId, approvalId }: SentApproval): string =>
  `${PAGES.clientsPortalVatReturn.path}?${new URLSearchParams({ company_id: clientId, approval_id: approvalId })}`;

const getPracticeLink = ({ practiceId, clientId, obligationId }: SentApproval): string =>
  `${PAGES.clientVatReturn.path}?${new URLSearchParams({ company_id: practiceId, client_id: clientId, obligation_id: obligationId })}`;

/** Emails each of the client's users. Service emails about the client's own return can't be switched off. */
async function emailClientUsers(
  deps: AppDeps,
  tx: Tx,
  sentReturn: SentApproval,
  compose: (names: { client: string; practice: string }) => Omit<EmailContent, 'reason' | 'sentFor'>,
  asksForApproval = false,
): Promise<void> {
  const names = await getNames(tx, sentReturn);
  // Approval requests and HMRC’s receipts are sent even if earlier emails failed.
  const content = {
    sender: names.sender,
    ...compose(names),
    reason: `You’re receiving this because you can see ${names.client}’s taxes on ${deps.site.brand}.`,
    sentFor: { companyId: sentReturn.practiceId, isEssential: true as const },
  };
  const { practiceId, clientId, sentBy, approvalId } = sentReturn;
  const neededFor = asksForApproval ? { neededFor: { kind: 'approval', id: approvalId } as const } : {};
  for (const to of await listClientEmails(tx, sentReturn))
    await enqueueClientEmail(deps, tx, { practiceId, clientId, to, sentBy, content, ...neededFor });
}

export type Figures = { readonly boxes: FiledBoxes; readonly dueOn: PlainDate; readonly text: string; readonly isReminder: boolean };

export function enqueueApprovalRequest(
  deps: AppDeps,
  tx: Tx,
  sentReturn: SentApproval,
  { boxes, dueOn, text, isReminder }: Figures,
): Promise<void> {
  const period = formatPeriod(sentReturn.periodStart, sentReturn.periodEnd);
  const compose = ({ client, practice }: { client: string; practice: string }) => ({
    subject: `${isReminder ? 'Reminder: ' : ''}${client}: please check your VAT return`,
    preheader: `${practice} has prepared the return for ${period}. It needs your approval.`,
    heading: 'Your VAT return is ready to check',
    paragraphs: [
      `${practice} has prepared ${client}’s VAT return for ${period}. Check the figures, then approve them or ask a question.`,
      ...(text === '' ? [] : [`${practice} writes: “${text}”`]),
    ],
    facts: [['Period', period], toResultFact(boxes), ['Must reach HMRC by', formatDate(dueOn)]] satisfies EmailFact[],
    action: { label: 'Check the figures', path: getOwnLink(sentReturn) },
    notes: [`Nothing is filed until you approve it. If you weren’t expecting a VAT return from ${practice}, contact them.`],
  });
  return emailClientUsers(deps, tx, sentReturn, compose, true);
}

export function enqueueReply(deps: AppDeps, tx: Tx, sentReturn: SentApproval): Promise<void> {
  const period = formatPeriod(sentReturn.periodStart, sentReturn.periodEnd);
  return emailClientUsers(deps, tx, sentReturn, ({ client, practice }) => ({
    subject: `${client}: new message about your VAT return`,
    preheader: `${practice} has sent you a message about the return for ${period}.`,
    heading: `${practice} has sent you a message`,
    paragraphs: [`It’s about ${client}’s VAT return for ${period}.`],
    action: { label: 'Read message', path: getOwnLink(sentReturn) },
  }));
}

type FiledReturn = { readonly boxes: FiledBoxes; readonly receiptNumber: string | undefined; readonly dueOn: PlainDate };

/** Sends HMRC's receipt to the client's users. */
export function enqueueClientReceipt(
  deps: AppDeps,
  tx: Tx,
  sentReturn: SentApproval,
  { boxes, receiptNumber, dueOn }: FiledReturn,
): Promise<void> {
  const period = formatPeriod(sentReturn.periodStart, sentReturn.periodEnd);
  const nextStep =
    boxes.direction === 'payment'
      ? `Your payment must reach HMRC by ${formatDate(dueOn)}. HMRC’s bank details and your reference are in your account.`
      : boxes.direction === 'repayment'
        ? 'HMRC usually repays within 30 days.'
        : 'There’s nothing to pay or reclaim.';
  return emailClientUsers(deps, tx, sentReturn, ({ client, practice }) => ({
    subject: `${client}: VAT return filed`,
    preheader: `HMRC has the return for ${period}.`,
    heading: 'HMRC has your VAT return',
    paragraphs: [`${practice} has filed ${client}’s VAT return for ${period}.`, nextStep],
    facts: [
      ['Period', period],
      toResultFact(boxes),
      ...(receiptNumber === undefined ? [] : [['HMRC receipt number', receiptNumber] as const]),
    ],
    action: { label: 'View your return', path: getOwnLink(sentReturn) },
  }));
}

type ClientReply = {
  readonly requestedBy: string;
  readonly person: string;
  readonly what: 'approved' | 'asked';
  /** Identifies the approval or question. */
  readonly key: string;
};

/** Notifies the practice member who sent the figures, or else those now assigned to the client. */
export async function notifyOfClientReply(
  deps: AppDeps,
  tx: Tx,
  sentReturn: SentApproval,
  { requestedBy, person, what, key }: ClientReply,
): Promise<void> {
  const { client } = await getNames(tx, sentReturn);
  const period = formatPeriod(sentReturn.periodStart, sentReturn.periodEnd);
  const title = what === 'approved' ? `${client} approved the VAT return` : `${client} has a question about the VAT return`;
  const path = getPracticeLink(sentReturn);
  const email = {
    subject: title,
    preheader: `From ${person}, about the return for ${period}.`,
    heading: what === 'approved' ? `${client} approved the VAT return` : `${client} has a question`,
    paragraphs: [
      what === 'approved'
        ? `${person} approved the figures for ${period}. You can file the return now, as long as the figures don’t change.`
        : `${person} asked about the figures for ${period}.`,
    ],
    action: { label: what === 'approved' ? 'Open the return' : 'Read and reply', path },
  };
  const userIds = await listAskerOrResponsible(tx, sentReturn, requestedBy);
  await notify(deps, tx, sentReturn.practiceId, [
    { kind: 'return_answered', key, clientId: sentReturn.clientId, title, path, userIds, email },
  ]);
}
