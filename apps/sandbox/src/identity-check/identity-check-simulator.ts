/** The identity provider's double: the calls of our agreement, the person's page, and webhooks that are repeated until they are taken. */
import { epochOf } from '@portal/domain/clock.ts';
import { findRoute, type Simulator, type SimulatorCall, type SimulatorDeps, type SimulatorRoute } from '../simulator/simulator.ts';
import { json } from '../simulator/responses.ts';
import { CUT_CONNECTION } from '../simulator/faults.ts';
import { createWebhookCourier, type CourierDelays, type SandboxWebhook } from '../simulator/webhook-courier.ts';
import { parseJson } from '@portal/providers/http/parse-json.ts';
import { beginWire, SIGNATURE_HEADER } from '@portal/providers/identity-check/identity-check-wire.ts';
import { signIdentityWebhook } from '@portal/providers/identity-check/identity-webhook.ts';
import { SANDBOX_IDENTITY_CHECK } from './sandbox-credentials.ts';
import { returnAddress, showCheck, showUnknown } from './check-pages.ts';
import { checkAnswer, openIdentityRecords, SHOWN, type CheckRecord, type IdentityRecords, type Shown } from './identity-records.ts';

export type IdentityCheckSimulatorDeps = SimulatorDeps & {
  readonly webhookUrl: string;
  readonly courierDelays?: CourierDelays;
  /** How often unfinished checks are looked through for those whose seven days are over, in real time; 5 seconds unless told. */
  readonly sweepMs?: number;
};

type ToldOfCheck = { readonly event_id: string; readonly type: string; readonly check_id: string };

export type IdentityCheckControls = {
  /** Oldest first. */
  listChecks(): CheckRecord[];
  /** What the person would do on the page; undefined where there is no such check. */
  show(checkId: string, shown: Shown): CheckRecord | undefined;
  /** What the provider's staff decides. False where the check is not under review. */
  settleReview(checkId: string, outcome: 'passed' | 'failed'): boolean;
  listWebhooks(): SandboxWebhook<ToldOfCheck>[];
};

export type IdentityCheckSimulator = Simulator & {
  readonly controls: IdentityCheckControls;
  /** Takes up what a former process left unfinished. */
  start(): void;
  stop(): Promise<void>;
};

/** The calls that a fault can be put into, by the names the faults use. */
export const IDENTITY_CHECK_OPERATIONS = ['identity.begin', 'identity.find'] as const;

/** On every answer of the API, so that those of the shared faults are told apart and put into its own words. */
const REQUEST_ID = 'x-request-id';

export function createIdentityCheckSimulator(deps: IdentityCheckSimulatorDeps): IdentityCheckSimulator {
  const { store, clock, webhookUrl } = deps;
  const sign = (body: string) => {
    const seconds = Math.floor(epochOf(clock.now()) / 1000);
    return { [SIGNATURE_HEADER]: signIdentityWebhook(SANDBOX_IDENTITY_CHECK.webhookSecret, seconds, body) };
  };
  const courier = createWebhookCourier<ToldOfCheck>({ store, clock, provider: 'identity', webhookUrl, delays: deps.courierDelays, sign });
  const records = openIdentityRecords(store, clock, (event) =>
    courier.queue({ event_id: event.id, type: event.type, check_id: event.check.id }, event),
  );
  const routes = [...apiRoutes(deps, records), ...pageRoutes(deps, records)];
  const basePath = new URL(deps.publicUrl).pathname.replace(/\/$/, '');
  let sweep: NodeJS.Timeout | undefined;
  return {
    fetch: async (request) => {
      const url = new URL(request.url);
      const found = findRoute(routes, basePath, request.method, url.pathname);
      if (!found) return fault(404, 'not_found', 'Nothing is here.');
      const response = await found.route.answer({ request, url, params: found.params, bodyText: await request.text() });
      courier.wake();
      return response;
    },
    controls: {
      listChecks: () => records.list(),
      show: (checkId, shown) => {
        const check = records.find(checkId);
        const after = check && records.show(check, shown);
        courier.wake();
        return after;
      },
      settleReview: (checkId, outcome) => {
        const isSettled = records.settleReview(checkId, outcome);
        courier.wake();
        return isSettled;
      },
      listWebhooks: () => courier.list(),
    },
    start: () => {
      sweep ??= setInterval(() => {
        records.list();
        courier.wake();
      }, deps.sweepMs ?? 5_000).unref();
      courier.wake();
    },
    stop: async () => {
      clearInterval(sweep);
      await courier.stop();
    },
  };
}

function apiRoutes(deps: IdentityCheckSimulatorDeps, records: IdentityRecords): SimulatorRoute[] {
  const guarded = (
    operation: (typeof IDENTITY_CHECK_OPERATIONS)[number],
    answer: (call: SimulatorCall) => Response,
  ): SimulatorRoute['answer'] => {
    return async (call) => inOwnWords(await deps.faults.through(operation, () => refuseKey(call) ?? answer(call)));
  };
  return [
    { method: 'POST', path: '/v1/checks', answer: guarded('identity.begin', (call) => begin(deps, records, call)) },
    {
      method: 'GET',
      path: '/v1/checks/:id',
      answer: guarded('identity.find', ({ params }) => {
        const check = records.find(params['id'] ?? '');
        return check ? answered(200, checkAnswer(check)) : fault(404, 'check_not_found', 'There is no check with this id.');
      }),
    },
  ];
}

function refuseKey({ request }: SimulatorCall): Response | undefined {
  const isKnown = request.headers.get('authorization') === `Bearer ${SANDBOX_IDENTITY_CHECK.apiKey}`;
  return isKnown ? undefined : fault(401, 'unauthorized', 'The key is missing or unknown.');
}

function begin(deps: IdentityCheckSimulatorDeps, records: IdentityRecords, { bodyText }: SimulatorCall): Response {
  const order = beginWire.safeParse(parseJson(bodyText));
  if (!order.success) {
    const [issue] = order.error.issues;
    return fault(400, 'invalid_request', issue?.message ?? 'The body cannot be read.', issue?.path.join('.'));
  }
  const begun = records.begin(order.data);
  if (!begun) return fault(409, 'reference_used', 'This reference stands for a check with other particulars.');
  return answered(begun.isNew ? 201 : 200, { ...checkAnswer(begun.check), url: pageUrl(deps, begun.check) });
}

function pageRoutes(deps: IdentityCheckSimulatorDeps, records: IdentityRecords): SimulatorRoute[] {
  return [
    {
      method: 'GET',
      path: '/check/:token',
      answer: ({ params }) => {
        const check = records.findByToken(params['token'] ?? '');
        return check ? showCheck(check, pageUrl(deps, check)) : showUnknown();
      },
    },
    {
      method: 'POST',
      path: '/check/:token',
      answer: ({ params, bodyText }) => {
        const check = records.findByToken(params['token'] ?? '');
        if (!check) return showUnknown();
        const outcome = new URLSearchParams(bodyText).get('outcome');
        if (outcome === 'not_now') return seeOther(returnAddress(check));
        const shown = SHOWN.find((one) => one === outcome);
        if (!shown) return showCheck(check, pageUrl(deps, check), 422);
        const after = records.show(check, shown);
        const isUnfinished = after.status === 'pending' || after.status === 'expired';
        return isUnfinished ? showCheck(after, pageUrl(deps, after), 422) : seeOther(returnAddress(after));
      },
    },
  ];
}

function pageUrl({ publicUrl }: IdentityCheckSimulatorDeps, { token }: CheckRecord): string {
  return `${publicUrl}/check/${token}`;
}

function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } });
}

function answered(status: number, body: unknown): Response {
  return json(status, body, { [REQUEST_ID]: crypto.randomUUID() });
}

function fault(status: number, code: string, message: string, field?: string): Response {
  return answered(status, { error: { code, message, ...(field ? { field } : {}) } });
}

function inOwnWords(response: Response): Response {
  if (response.status === CUT_CONNECTION || response.headers.has(REQUEST_ID)) return response;
  if (response.status === 429) {
    return json(429, { error: { code: 'too_many_requests', message: 'Too many calls.' } }, { 'retry-after': '30' });
  }
  return fault(500, 'server_error', 'The provider failed.');
}
