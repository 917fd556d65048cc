/** Determines from mail servers' status codes (RFC 3463) why an email wasn't delivered. See docs/decisions/0075-bounces.md. */

/**
 * `expired`: the mail server gave up trying, which doesn't say anything about the email address. `complaint`: the recipient reported it as
 * spam.
 */
export const FAILURE_CAUSES = ['no_address', 'full', 'refused', 'expired', 'other', 'complaint'] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];

/** Sentences shared by screens and notifications. */
export const FAILURE_MESSAGES: Readonly<Record<FailureCause, string>> = {
  no_address: 'The address doesn’t exist.',
  full: 'The mailbox is full.',
  refused: 'The recipient’s mail server rejected the message.',
  expired: 'The recipient’s mail server couldn’t be reached in time.',
  other: 'The message couldn’t be delivered.',
  complaint: 'The recipient reported a message as spam.',
};

/** A report's content. `detail`: the server's message, shortened; may be empty. */
export type MailReport =
  | { readonly kind: 'failed'; readonly cause: Exclude<FailureCause, 'complaint'>; readonly detail: string }
  | { readonly kind: 'delayed'; readonly detail: string }
  | { readonly kind: 'complaint' };

const MAX_DETAIL_LENGTH = 160;

/** One recipient's fields in a delivery status (RFC 3464 section 2.3), by lower-case name. */
export type StatusFields = Readonly<Record<string, string>>;

/** Returns undefined for reports that don't matter: delivered, relayed, expanded, or not understood. */
export function readDeliveryStatus(recipients: readonly StatusFields[]): MailReport | undefined {
  const findByAction = (action: string) => recipients.find((fields) => fields['action']?.trim().toLowerCase() === action);
  const failedFields = findByAction('failed');
  if (failedFields) {
    const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(failedFields['status'] ?? '')?.[0];
    return status === undefined ? undefined : { kind: 'failed', cause: toCause(status), detail: toDetail(failedFields) };
  }
  const delayedStatus = findByAction('delayed');
  return delayedStatus && { kind: 'delayed', detail: toDetail(delayedStatus) };
}

/** Classes of RFC 3463 section 3: 5 is permanent, 4 is an abandoned attempt. */
function toCause(status: string): Exclude<FailureCause, 'complaint'> {
  if (!status.startsWith('5.')) return 'expired';
  if (/^5\.1\.([012369]|10)$/.test(status) || status === '5.2.1') return 'no_address';
  if (status === '5.2.2') return 'full';
  if (status === '5.4.7') return 'expired';
  return status.startsWith('5.7.') || status.startsWith('5.2.') || status.startsWith('5.3.') ? 'refused' : 'other';
}

/**
 * Returns true if we must stop sending mail to the email address. A rejection usually concerns us or the email: our server, SPF or DKIM, or
 * its size.
 */
export function isFinalFailure(report: MailReport): boolean {
  if (report.kind === 'complaint') return true;
  return report.kind === 'failed' && report.cause !== 'expired' && report.cause !== 'refused';
}

function toDetail(fields: StatusFields): string {
  const words = (fields['diagnostic-code'] ?? fields['status'] ?? '').replace(/^\s*[\w-]+\s*;/, '');
  const plainText = words.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return plainText.length > MAX_DETAIL_LENGTH ? `${plainText.slice(0, MAX_DETAIL_LENGTH - 1)}…` : plainText;
}

/** Returns a report's text, to record as the reason for an outcome. */
export function describeReport(report: MailReport): string {
  if (report.kind === 'complaint') return FAILURE_MESSAGES.complaint;
  const failureText = report.kind === 'failed' ? FAILURE_MESSAGES[report.cause] : 'Delayed. The mail server is still trying.';
  return report.detail === '' ? failureText : `${failureText} Its response: ${report.detail}`;
}
