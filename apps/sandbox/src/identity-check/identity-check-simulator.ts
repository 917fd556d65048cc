/** The identity-check simulator: the provider's API, the user's page, and webhooks that are repeated until they are acknowledged. */
import { toEpochMs } from '@portal/domain/clock.ts';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { createFaultHooks, type RejectCall } from '../simulator/fault-hooks.ts';
import { readBodyText, readForm } from '../simulator/request.ts';
import { redirectSeeOther } from '../simulator/responses.ts';
import type { SimulatorDeps } from '../simulator/simulator.ts';
import { createWebhookSender, type WebhookDelays, type SandboxWebhook } from '../simulator/webhook-sender.ts';
import { parseJson } from '@portal/providers/http/parse-json.ts';
import { startCheckWire, SIGNATURE_HEADER } from '@portal/providers/identity-check/identity-check-wire.ts';
import { signIdentityWebhook } from '@portal/providers/identity-check/identity-webhook.ts';
import { SANDBOX_IDENTITY_CHECK } from './sandbox-credentials.ts';
import { buildReturnUrl, showCheck, showUnknownCheck } from './check-pages.ts';
import {
  toCheckResponse,
  openIdentityRecords,
  OUTCOMES,
  type CheckRecord,
  type IdentityRecords,
  type CheckOutcome,
} from './identity-records.ts';

export type IdentityCheckSimulatorDeps = SimulatorDeps & {
  readonly webhookUrl: string;
  readonly webhookDelays?: WebhookDelays;
  /** How often pending checks are checked for expiry, in real time. Defaults to 5 seconds. */
  readonly sweepMs?: number;
};

type ListedCheckEvent = { readonly event_id: string; readonly type: string; readonly check_id: string };

export type IdentityCheckControls = {
  /** Lists the checks, oldest first. */
  listChecks(): CheckRecord[];
  /** Acts as the user on the page. Returns undefined when the check does not exist. */
  chooseOutcome(checkId: string, shownOutcome: CheckOutcome): CheckRecord | undefined;
  /** Records the decision of the provider's staff. Returns false when the check is not under review. */
  settleReview(checkId: string, outcome: 'passed' | 'failed'): boolean;
  listWebhooks(): SandboxWebhook<ListedCheckEvent>[];
};

export type IdentityCheckSimulator = {
  readonly plugin: FastifyPluginAsync;
  readonly controls: IdentityCheckControls;
  /** Resumes the unfinished work of an earlier process. */
  start(): void;
  stop(): Promise<void>;
};

/** Operations for which faults can be set. */
export const IDENTITY_CHECK_OPERATIONS = ['identity.begin', 'identity.find'] as const;

type TokenParams = { Params: { token: string } };

export function createIdentityCheckSimulator(deps: IdentityCheckSimulatorDeps): IdentityCheckSimulator {
  const { store, clock, webhookUrl } = deps;
  const sign = (body: string) => {
    const seconds = Math.floor(toEpochMs(clock.now()) / 1000);
    return { [SIGNATURE_HEADER]: signIdentityWebhook(SANDBOX_IDENTITY_CHECK.webhookSecret, seconds, body) };
  };
  const webhookSender = createWebhookSender<ListedCheckEvent>({
    store,
    clock,
    provider: 'identity',
    webhookUrl,
    delays: deps.webhookDelays,
    sign,
  });
  const records = openIdentityRecords(store, clock, (event) =>
    webhookSender.queue({ event_id: event.id, type: event.type, check_id: event.check.id }, event),
  );
  let sweepTimer: NodeJS.Timeout | undefined;
  return {
    plugin: async (app) => {
      app.setNotFoundHandler((_request, reply) => sendFault(reply, 404, 'not_found', 'Nothing is here.'));
      serveApi(app, deps, records);
      servePages(app, deps, records);
    },
    controls: {
      listChecks: () => records.list(),
      chooseOutcome: (checkId, shownOutcome) => {
        const check = records.find(checkId);
        const updatedCheck = check && records.applyOutcome(check, shownOutcome);
        webhookSender.wake();
        return updatedCheck;
      },
      settleReview: (checkId, outcome) => {
        const isSettled = records.settleReview(checkId, outcome);
        webhookSender.wake();
        return isSettled;
      },
      listWebhooks: () => webhookSender.list(),
    },
    start: () => {
      sweepTimer ??= setInterval(() => {
        records.list();
        webhookSender.wake();
      }, deps.sweepMs ?? 5_000).unref();
      webhookSender.wake();
    },
    stop: async () => {
      clearInterval(sweepTimer);
      await webhookSender.stop();
    },
  };
}

function serveApi(app: FastifyInstance, deps: IdentityCheckSimulatorDeps, records: IdentityRecords): void {
  const toRouteOptions = (operation: (typeof IDENTITY_CHECK_OPERATIONS)[number]) => {
    const { preHandler, onSend } = createFaultHooks(deps.faults, operation, rejectCall);
    return { preHandler: [preHandler, rejectUnknownKey], onSend };
  };
  app.post('/v1/checks', toRouteOptions('identity.begin'), (request, reply) => startCheck(deps, records, request, reply));
  app.get<{ Params: { id: string } }>('/v1/checks/:id', toRouteOptions('identity.find'), ({ params }, reply) => {
    const check = records.find(params.id);
    return check
      ? sendResponse(reply, 200, toCheckResponse(check))
      : sendFault(reply, 404, 'check_not_found', 'There is no check with this id.');
  });
}

const rejectUnknownKey: preHandlerAsyncHookHandler = async (request, reply) => {
  const isKnown = request.headers.authorization === `Bearer ${SANDBOX_IDENTITY_CHECK.apiKey}`;
  return isKnown ? undefined : sendFault(reply, 401, 'unauthorized', 'The key is missing or unknown.');
};

function startCheck(
  deps: IdentityCheckSimulatorDeps,
  records: IdentityRecords,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const order = startCheckWire.safeParse(parseJson(readBodyText(request)));
  if (!order.success) {
    const [issue] = order.error.issues;
    return sendFault(reply, 400, 'invalid_request', issue?.message ?? 'The body cannot be read.', issue?.path.join('.'));
  }
  const startedCheck = records.startCheck(order.data);
  if (!startedCheck) return sendFault(reply, 409, 'reference_used', 'This reference belongs to a check with other details.');
  return sendResponse(reply, startedCheck.isNew ? 201 : 200, {
    ...toCheckResponse(startedCheck.check),
    url: buildPageUrl(deps, startedCheck.check),
  });
}

function servePages(app: FastifyInstance, deps: IdentityCheckSimulatorDeps, records: IdentityRecords): void {
  app.get<TokenParams>('/check/:token', ({ params }, reply) => {
    const check = records.findByToken(params.token);
    return check ? showCheck(reply, check, buildPageUrl(deps, check)) : showUnknownCheck(reply);
  });
  app.post<TokenParams>('/check/:token', (request, reply) => {
    const check = records.findByToken(request.params.token);
    if (!check) return showUnknownCheck(reply);
    const outcome = readForm(request).get('outcome');
    if (outcome === 'not_now') return redirectToPortal(reply, check);
    const shownOutcome = OUTCOMES.find((candidate) => candidate === outcome);
    if (!shownOutcome) return showCheck(reply, check, buildPageUrl(deps, check), 422);
    const updatedCheck = records.applyOutcome(check, shownOutcome);
    const isUnfinished = updatedCheck.status === 'pending' || updatedCheck.status === 'expired';
    return isUnfinished ? showCheck(reply, updatedCheck, buildPageUrl(deps, updatedCheck), 422) : redirectToPortal(reply, updatedCheck);
  });
}

function buildPageUrl({ publicUrl }: IdentityCheckSimulatorDeps, { token }: CheckRecord): string {
  return `${publicUrl}/check/${token}`;
}

function redirectToPortal(reply: FastifyReply, check: CheckRecord): FastifyReply {
  return redirectSeeOther(reply, buildReturnUrl(check), { 'referrer-policy': 'no-referrer' });
}

function sendResponse(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply.code(status).header('x-request-id', crypto.randomUUID()).send(body);
}

function sendFault(reply: FastifyReply, status: number, code: string, message: string, field?: string): FastifyReply {
  return sendResponse(reply, status, { error: { code, message, ...(field ? { field } : {}) } });
}

const rejectCall: RejectCall = (reply, { status }) => {
  if (status === 403) return sendFault(reply, 403, 'forbidden', 'The key may not do this.');
  if (status !== 429) return sendFault(reply, 500, 'server_error', 'The provider failed.');
  return reply
    .code(429)
    .header('retry-after', '30')
    .send({ error: { code: 'too_many_requests', message: 'Too many calls.' } });
};
