/** Serves Microsoft Graph's `sendMail` in MIME format, with its errors and limits. See docs/reference/providers.md section 5. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { GRAPH_SEND_PATH, GRAPH_SEND_SCOPE } from '@portal/providers/microsoft/graph-mail-client.ts';
import type { GraphErrorWire } from '@portal/providers/microsoft/graph-mail-wire.ts';
import { acceptEmail, findMailboxOwner } from '../mail/accept-email.ts';
import type { IdentityContext } from '../oidc/provider-profile.ts';
import { createFaultHooks, type RejectCall } from '../simulator/fault-hooks.ts';
import { readBodyText } from '../simulator/request.ts';
import { sendHtml } from '../simulator/responses.ts';

/** Exchange Online's limits: 30 messages a minute, 10,000 recipients a day. */
const LIMITS = { perMinute: 30, perDay: 10_000 } as const;
const RETRY_AFTER_SECONDS = 60;

export function serveGraphMail(app: FastifyInstance, context: IdentityContext): void {
  app.post(GRAPH_SEND_PATH, createFaultHooks(context.faults, 'microsoft.send_mail', rejectCall), async (request, reply) => {
    const owner = findMailboxOwner(context, request, GRAPH_SEND_SCOPE);
    if (owner === 'no_token') return sendError(reply, 401, 'InvalidAuthenticationToken', 'Access token has expired or is not yet valid.');
    if (owner === 'no_scope') return sendError(reply, 403, 'ErrorAccessDenied', 'Access is denied. Check credentials and try again.');
    const body = readBodyText(request);
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(body)) {
      return sendError(reply, 400, 'ErrorMimeContentInvalidBase64String', 'Invalid base64 string for MIME content.');
    }
    const outcome = await acceptEmail(context, owner, Buffer.from(body, 'base64'), LIMITS);
    if (outcome === 'no_recipient') return sendError(reply, 400, 'ErrorInvalidRecipients', 'At least one recipient is not valid.');
    if (outcome === 'over_limit') return sendThrottledResponse(reply, RETRY_AFTER_SECONDS);
    return reply.code(202).send();
  });
}

function sendError(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  return reply.code(status).send({ error: { code, message } } satisfies GraphErrorWire);
}

function sendThrottledResponse(reply: FastifyReply, seconds?: number): FastifyReply {
  if (seconds !== undefined) reply.header('retry-after', String(seconds));
  return sendError(reply, 429, 'ApplicationThrottled', 'Application is over its MailboxConcurrency limit.');
}

const rejectCall: RejectCall = (reply, call) => {
  if (call.status === 200) return sendHtml(reply, 200, call.html);
  if (call.status === 429) return sendThrottledResponse(reply, call.retryAfterSeconds);
  return call.status === 403
    ? sendError(reply, 403, 'Forbidden', 'The request is not allowed.')
    : sendError(reply, 500, 'InternalServerError', 'The server encountered an error.');
};
