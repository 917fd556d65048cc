/**
 * Parses emails to our envelope senders: delivery status (RFC 3464) and feedback reports (RFC 5965). The emails themselves are never
 * stored.
 */
import { readDeliveryStatus, type MailReport, type StatusFields } from '@portal/domain/mail-reports/delivery-failure.ts';
import PostalMime, { type Attachment } from 'postal-mime';

/** `other`: not a report about a failure, for example an out-of-office reply. `malformed`: a report that lacks its facts. */
export type ParsedReport =
  | { readonly kind: 'report'; readonly report: MailReport; /** The envelope sender in a complaint. */ readonly about?: string }
  | { readonly kind: 'other' | 'malformed' };

const DELIVERY_STATUS = new Set(['message/delivery-status', 'message/global-delivery-status']);
const FEEDBACK_REPORT = 'message/feedback-report';
/** RFC 5965 section 7.3. Other types report that an email isn't spam, or that a check failed. */
const COMPLAINTS = new Set(['abuse', 'fraud', 'opt-out']);
const LIMITS = { maxNestingDepth: 10, maxHeadersSize: 64 * 1024 };

export async function parseReport(raw: Uint8Array): Promise<ParsedReport> {
  let parts: readonly Attachment[];
  let isReport: boolean;
  try {
    // The original message in a report isn't parsed.
    const { attachments, headers } = await PostalMime.parse(raw, { ...LIMITS, forceRfc822Attachments: true });
    parts = attachments;
    isReport = headers.some(({ key, value }) => key === 'content-type' && /^\s*multipart\/report\b/i.test(value));
  } catch {
    return { kind: 'malformed' };
  }
  if (!isReport) return { kind: 'other' };
  const feedback = parts.find(({ mimeType }) => mimeType === FEEDBACK_REPORT);
  if (feedback) return toComplaint(readFields(feedback)[0]);
  const status = parts.find(({ mimeType }) => DELIVERY_STATUS.has(mimeType));
  if (!status) return { kind: isDisposition(parts) ? 'other' : 'malformed' };
  // The first group is about the message, the rest about its recipients (RFC 3464 section 2.1).
  const recipients = readFields(status).filter((fields) => fields['action'] !== undefined);
  if (recipients.length === 0) return { kind: 'malformed' };
  const report = readDeliveryStatus(recipients);
  if (report) return { kind: 'report', report };
  return { kind: recipients.some(({ action }) => action?.trim().toLowerCase() === 'failed') ? 'malformed' : 'other' };
}

/** Read receipts (RFC 8098) are reports too. */
const isDisposition = (parts: readonly Attachment[]): boolean =>
  parts.some(({ mimeType }) => mimeType === 'message/disposition-notification');

function toComplaint(fields: StatusFields | undefined): ParsedReport {
  const type = fields?.['feedback-type']?.trim().toLowerCase();
  if (fields === undefined || type === undefined) return { kind: 'malformed' };
  if (!COMPLAINTS.has(type)) return { kind: 'other' };
  const recipient = fields['original-mail-from']?.replaceAll(/[<>\s]/g, '');
  return { kind: 'report', report: { kind: 'complaint' }, ...(recipient === undefined ? {} : { about: recipient }) };
}

/** Reads groups of fields, separated by blank lines. If a field is repeated, only the first one counts. */
function readFields({ content }: Attachment): StatusFields[] {
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map((group) => {
      const lines = group.replaceAll(/\n[ \t]+/g, ' ').split('\n');
      const fields = lines.flatMap((line) => {
        const [, name, value] = /^([!-9;-~]+):(.*)$/.exec(line) ?? [];
        return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value.trim()] as const];
      });
      return Object.fromEntries(fields.toReversed());
    });
}
