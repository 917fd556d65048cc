/** Emails that send HMRC's authorisation link to the client: their text and when the reminder is sent. */
import type { RecipientStatus } from '../messages/message-status.ts';
import { addDays, formatDate, type PlainDate } from '../plain-date.ts';
import { TAX_NAMES_IN_SENTENCE, type AgentTax } from '../uk-tax/tax.ts';

/** `repeat`: resent by a user. Each request has one `first` and one `reminder`, and any number of repeats. */
export const REQUEST_EMAIL_KINDS = ['first', 'reminder', 'repeat'] as const;
export type RequestEmailKind = (typeof REQUEST_EMAIL_KINDS)[number];

/** Why an email can't be written yet: HMRC hasn't issued the link, or we don't have the client's email address. */
export const REQUEST_EMAIL_BLOCKERS = ['no_link', 'no_email'] as const;
export type RequestEmailBlocker = (typeof REQUEST_EMAIL_BLOCKERS)[number];

/** Labels for the status of the latest email about a request, on screens and in exports. */
export const REQUEST_EMAIL_LABELS: Readonly<Record<RecipientStatus | RequestEmailBlocker, string>> = {
  queued: 'Waiting to be sent',
  sending: 'Being sent',
  sent: 'Emailed',
  failed: 'Not delivered',
  bounced: 'Bounced',
  unknown: 'May have been sent',
  cancelled: 'Not sent',
  no_link: 'Waiting for HMRC’s link',
  no_email: 'No email address',
};

/** The reminder is normally sent on the 14th of the 21 days. */
export const REMINDER_DAYS_BEFORE = 8;
/** A late reminder isn't sent if the client has fewer days left than this. */
export const REMINDER_MIN_DAYS_BEFORE = 5;
/** Minimum days between two automatic emails about the same request. */
const MIN_GAP_DAYS = 3;

/**
 * Returns the day to send the reminder: `today` if it is overdue, undefined if it is too late. `expiresOn` is when HMRC ends the request,
 * and `emailedOn` when we last emailed the client about it.
 */
export function getReminderDay(expiresOn: PlainDate, emailedOn: PlainDate, today: PlainDate): PlainDate | undefined {
  const days = [addDays(expiresOn, -REMINDER_DAYS_BEFORE), addDays(emailedOn, MIN_GAP_DAYS), today];
  const day = days.reduce((latest, item) => (item > latest ? item : latest));
  return day <= addDays(expiresOn, -REMINDER_MIN_DAYS_BEFORE) ? day : undefined;
}

export type RequestEmailFacts = {
  readonly isReminder: boolean;
  readonly tax: AgentTax;
  readonly client: string;
  readonly practice: string;
  /** The colleague who requests authorisation. */
  readonly sender: string;
  /** HMRC's page where the client responds. */
  readonly url: string;
  /** The day on which HMRC ends the request. */
  readonly expiresOn: PlainDate;
};

const PERMISSION_BY_TAX: Readonly<Record<AgentTax, string>> = {
  vat: 'view your VAT records at HMRC, file VAT returns and deal with HMRC about VAT',
  sa: 'view your Self Assessment records at HMRC, file tax returns and deal with HMRC about Self Assessment',
};

/**
 * Composes plain text: the tax, who is asking, what the authorisation allows, the deadline, and what to do if the client doesn't know the
 * practice.
 */
export function composeRequestEmail(facts: RequestEmailFacts): { readonly subject: string; readonly body: string } {
  const { isReminder, tax, client, practice, sender, url, expiresOn } = facts;
  const name = TAX_NAMES_IN_SENTENCE[tax];
  const lastDay = formatDate(addDays(expiresOn, -1));
  const subject = `${isReminder ? 'Reminder: ' : ''}${practice} asks you to authorise them at HMRC: ${name} for ${client}`;
  const paragraphs = [
    isReminder
      ? `This is a reminder: ${practice} has asked for your permission to act for ${client} at HMRC for ${name}, and HMRC hasn’t received your response yet.`
      : `${sender} of ${practice} is asking for your permission to act for ${client} at HMRC for ${name}.`,
    `To respond, open this link and sign in on HMRC’s website with ${client}’s HMRC account:\n${url}`,
    `The link works until ${lastDay}.`,
    `If you accept, ${practice} can ${PERMISSION_BY_TAX[tax]} for ${client}. You can read what you’re agreeing to on HMRC’s website before you respond, and withdraw the permission in your HMRC account at any time.`,
    `If you’ve already responded, you don’t need to do anything. If you don’t know ${practice}, don’t accept: decline on HMRC’s website, or ignore this email and the request will expire. No one needs your HMRC password for this, so don’t give it to anyone.`,
    `${sender}\n${practice}`,
  ];
  return { subject, body: paragraphs.join('\n\n') };
}
