/** Serves Gmail's `users.messages.send`, with its errors and limits. See docs/reference/providers.md section 4. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { GMAIL_SEND_PATH, GMAIL_SEND_SCOPE } from '@portal/providers/google/gmail-client.ts';
import type { GmailErrorWire, GmailSentWire } from '@portal/providers/google/gmail-wire.ts';
import { parseJson } from '@portal/providers/http/parse-json.ts';
import { acceptEmail, findMailboxOwner } from '../mail/accept-email.ts';
import type { IdentityContext } from '../oidc/provider-profile.ts';
import { createFaultHooks, type RejectCall } from '../simulator/fault-hooks.ts';
import { readBodyText } from '../simulator/request.ts';
import { sendHtml } from '../simulator/responses.ts';

/** Limits from support.google.com/a/answer/166852, and 15,000 quota units per minute at 100 per message. */
const LIMITS = { perMinute: 150, perDay: 2_000 } as const;

const requestWire = z.object({ raw: z.string().regex(/^[\w-]+=*$/) });

export function serveGmail(app: FastifyInstance, context: IdentityContext): void {
  app.post(GMAIL_SEND_PATH, createFaultHooks(context.faults, 'google.send_mail', rejectCall), async (request, reply) => {
    const owner = findMailboxOwner(context, request, GMAIL_SEND_SCOPE);
    if (owner === 'no_token') return sendError(reply, 401, 'authError', 'Invalid Credentials');
    if (owner === 'no_scope') return sendError(reply, 403, 'insufficientPermissions', 'Request had insufficient authentication scopes.');
    const parsed = requestWire.safeParse(parseJson(readBodyText(request)));
    if (!parsed.success)
      return sendError(
        reply,
        400,
        'invalidArgument',
        "'raw' RFC822 payload message string or uploading message via /upload/* URL required",
      );
    const outcome = await acceptEmail(context, owner, Buffer.from(parsed.data.raw, 'base64url'), LIMITS);
    if (outcome === 'no_recipient') return sendError(reply, 400, 'invalidArgument', 'Recipient address required');
    if (outcome === 'over_limit') return sendError(reply, 429, 'userRateLimitExceeded', 'User-rate limit exceeded.');
    const id = randomBytes(8).toString('hex');
    return reply.send({ id, threadId: id, labelIds: ['SENT'] } satisfies GmailSentWire);
  });
}

function sendError(reply: FastifyReply, code: number, reason: string, message: string): FastifyReply {
  const error = { code, message, errors: [{ message, domain: 'global', reason }] };
  return reply.code(code).send({ error } satisfies GmailErrorWire);
}

const rejectCall: RejectCall = (reply, call) => {
  if (call.status === 200) return sendHtml(reply, 200, call.html);
  if (call.status === 429) {
    if (call.retryAfterSeconds !== undefined) reply.header('retry-after', String(call.retryAfterSeconds));
    return sendError(reply, 429, 'rateLimitExceeded', 'Rate Limit Exceeded');
  }
  return call.status === 403 ? sendError(reply, 403, 'forbidden', 'Forbidden') : sendError(reply, 500, 'backendError', 'Backend Error');
};
