/** What every VAT (MTD) 1.0 call does before its own work, in HMRC's order (FACTS 3.1): VAT number, Accept, enrolment; then the common back-end faults. */
import { randomUUID } from 'node:crypto';
import { mayActFor } from '../hmrc-agent/agent-authority.ts';
import { acceptsVersion, fault, wrongAccept, type ApiCall } from './gateway.ts';
import type { HmrcContext } from './hmrc-context.ts';
import type { TraderRecord } from './hmrc-records.ts';
import { bringUpToDate } from './trader-books.ts';

export type VatCall = ApiCall & {
  readonly trader: TraderRecord;
  readonly userId: string;
  /** Of X-CorrelationId on the answer. */
  readonly correlationId: string;
  /** The Gov-Test-Scenario asked for, in place of the trader's own books. */
  readonly scenario: string | undefined;
};

/** The request's own checks and then the back end's answer: a refusal of `check` comes before any back-end fault. */
export type VatOperation<Checked> = {
  readonly check: (call: VatCall) => Checked | Response;
  /** The values of Gov-Test-Scenario that this call knows. */
  readonly scenarios: readonly string[];
  readonly answer: (call: VatCall, checked: Checked) => Response;
};

export function serveVat<Checked>(context: HmrcContext, operation: VatOperation<Checked>): (call: ApiCall) => Promise<Response> {
  return async (call) => {
    const vrn = call.params['vrn'] ?? '';
    if (!/^\d{9}$/.test(vrn)) return fault(400, 'VRN_INVALID', 'The provided VRN is invalid');
    if (!acceptsVersion(call.request, '1.0')) return wrongAccept();
    const user = context.records.users.get(call.caller.userId ?? '');
    const trader = mayActFor(context, user, 'MTD-VAT', vrn) ? context.records.traders.get(vrn) : undefined;
    if (!user || !trader) return fault(403, 'CLIENT_OR_AGENT_NOT_AUTHORISED', 'The client and/or agent is not authorised.');
    const scenario = call.request.headers.get('gov-test-scenario') ?? undefined;
    const correlationId = randomUUID();
    const vatCall: VatCall = { ...call, trader, userId: user.userId, correlationId, scenario };
    const response = await answerChecked(context, operation, vatCall);
    response.headers.set('X-CorrelationId', correlationId);
    response.headers.set('X-Content-Type-Options', 'nosniff');
    return response;
  };
}

async function answerChecked<Checked>(context: HmrcContext, operation: VatOperation<Checked>, call: VatCall): Promise<Response> {
  const checked = operation.check(call);
  if (checked instanceof Response) return checked;
  const { scenario } = call;
  if (scenario !== undefined && !operation.scenarios.includes(scenario)) {
    return fault(400, 'RULE_INCORRECT_GOV_TEST_SCENARIO', 'The Gov-Test-Scenario was not found');
  }
  if (scenario === 'INSOLVENT_TRADER' || call.trader.insolvent) {
    return fault(403, 'RULE_INSOLVENT_TRADER', 'The remote endpoint has indicated that the Trader is insolvent');
  }
  await bringUpToDate(context, call.trader);
  return operation.answer(call, checked);
}

/** The odd shape of parameter faults (FACTS 3.2): the code stands in `message`. */
export function statusFault(message: string): Response {
  return Response.json({ statusCode: 400, message }, { status: 400 });
}

/** Nothing found is 404, never an empty list. */
export function noDataFound(): Response {
  return fault(404, 'NOT_FOUND', 'The remote endpoint has indicated that no data can be found');
}

/** Faults inside `errors`, even a single one. */
export function listedFaults(
  status: 400 | 403,
  faults: readonly { readonly code: string; readonly message: string; readonly path?: string }[],
): Response {
  const outer =
    status === 400
      ? { code: 'INVALID_REQUEST', message: 'Invalid request' }
      : { code: 'BUSINESS_ERROR', message: 'Business validation error' };
  return Response.json({ ...outer, errors: faults }, { status });
}
