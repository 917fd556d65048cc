/** Sends email through Gmail with a single POST, so Google's 1 MB library isn't needed. See docs/reference/providers.md section 4. */
import { createMailSender, type MailSender, type MailSenderDeps } from '../mailbox/mail-sender.ts';
import { gmailErrorWire, gmailSentWire, type GmailSendWire } from './gmail-wire.ts';

/** Sending only: the portal can't read the mailbox. */
export const GMAIL_SEND_SCOPE = 'https://www.googleapis.com/auth/gmail.send';
export const GMAIL_SEND_PATH = '/gmail/v1/users/me/messages/send';

/** Google reports its rate limits with 403 as well as 429. */
const THROTTLED_REASONS: ReadonlySet<string> = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'dailyLimitExceeded',
  'quotaExceeded',
]);
const UNAUTHORIZED_REASONS: ReadonlySet<string> = new Set(['insufficientPermissions', 'authError']);

export function createGmailSender(deps: MailSenderDeps): MailSender {
  return createMailSender(
    {
      provider: 'google',
      origin: 'https://gmail.googleapis.com',
      path: GMAIL_SEND_PATH,
      toRequest: (message) => ({
        contentType: 'application/json',
        body: JSON.stringify({ raw: Buffer.from(message).toString('base64url') } satisfies GmailSendWire),
      }),
      isAccepted: ({ status, body }) => status === 200 && gmailSentWire.safeParse(body).success,
      readError: (body) => {
        const error = gmailErrorWire.safeParse(body).data?.error;
        const reason = error?.errors?.[0]?.reason;
        const failure =
          reason === undefined
            ? undefined
            : THROTTLED_REASONS.has(reason)
              ? 'throttled'
              : UNAUTHORIZED_REASONS.has(reason)
                ? 'unauthorized'
                : undefined;
        return { code: reason, detail: error?.message, failure };
      },
    },
    deps,
  );
}
