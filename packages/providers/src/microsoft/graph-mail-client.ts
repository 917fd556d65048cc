/** Sends email through Outlook with Microsoft Graph's `sendMail` in MIME format. See docs/reference/providers.md section 5. */
import { createMailSender, type MailSender, type MailSenderDeps } from '../mailbox/mail-sender.ts';
import { graphErrorWire } from './graph-mail-wire.ts';

/** Sending only: the portal can't read the mailbox. */
export const GRAPH_SEND_SCOPE = 'Mail.Send';
export const GRAPH_SEND_PATH = '/v1.0/me/sendMail';

/** The token lacks the permission, or an administrator has withdrawn it. */
const UNAUTHORIZED_CODES: ReadonlySet<string> = new Set(['ErrorAccessDenied', 'AccessDenied', 'Authorization_RequestDenied']);
const THROTTLED_CODES: ReadonlySet<string> = new Set(['ErrorExceededMessageLimit', 'ApplicationThrottled', 'TooManyRequests']);

export function createGraphMailSender(deps: MailSenderDeps): MailSender {
  return createMailSender(
    {
      provider: 'microsoft',
      origin: 'https://graph.microsoft.com',
      path: GRAPH_SEND_PATH,
      // Standard base64, whereas Gmail uses base64url.
      toRequest: (message) => ({ contentType: 'text/plain', body: Buffer.from(message).toString('base64') }),
      // The message was accepted; the body is empty and there's no id.
      isAccepted: ({ status }) => status === 202,
      readError: (body) => {
        const error = graphErrorWire.safeParse(body).data?.error;
        const code = error?.code;
        const failure =
          code === undefined
            ? undefined
            : THROTTLED_CODES.has(code)
              ? 'throttled'
              : UNAUTHORIZED_CODES.has(code)
                ? 'unauthorized'
                : undefined;
        return { code, detail: error?.message, failure };
      },
    },
    deps,
  );
}
