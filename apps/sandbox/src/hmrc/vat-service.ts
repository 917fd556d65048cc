/**
 * Steps shared by every VAT (MTD) 1.0 call, in HMRC's order (docs/reference/hmrc.md section 3.1): VAT number, Accept and enrolment, then
 * the errors common to the whole back end.
 */
import { randomUUID } from 'node:crypto';
import { canActFor } from '../hmrc-agent/agent-authority.ts';
import { readBodyText, searchParams } from '../simulator/request.ts';
import { assertAccepts, findTestScenario, getCaller, type HmrcHandler, type HmrcRequest } from './gateway.ts';
import { createApiError, HmrcApiError } from './hmrc-api-error.ts';
import type { HmrcContext } from './hmrc-context.ts';
import type { TraderRecord } from './hmrc-records.ts';
import { applyClock } from './trader-books.ts';

export type VatCall = {
  readonly params: HmrcRequest['params'];
  readonly query: URLSearchParams;
  readonly bodyText: string;
  readonly trader: TraderRecord;
  readonly userId: string;
  /** The X-CorrelationId of the response. */
  readonly correlationId: string;
  /** The requested Gov-Test-Scenario, which replaces the trader's records. */
  readonly scenario: string | undefined;
};

/** Checks the request, then returns the body of the back end's response. Both steps throw an HmrcApiError to reject the call. */
export type VatOperation<Checked> = {
  readonly check: (call: VatCall) => Checked;
  /** Supported Gov-Test-Scenario values. */
  readonly scenarios: readonly string[];
  readonly answer: (call: VatCall, checkedInput: Checked) => object;
  /** Defaults to 200. */
  readonly successStatus?: number;
  /** Sent with every response after the enrolment check, including errors. */
  readonly headers?: Readonly<Record<string, string>>;
};

export function createVatHandler<Checked>(context: HmrcContext, operation: VatOperation<Checked>): HmrcHandler {
  return async (request, reply) => {
    const call = readVatCall(context, request);
    reply.headers({ 'X-CorrelationId': call.correlationId, 'X-Content-Type-Options': 'nosniff', ...operation.headers });
    const checkedInput = operation.check(call);
    const { scenario } = call;
    if (scenario !== undefined && !operation.scenarios.includes(scenario)) {
      throw createApiError(400, 'RULE_INCORRECT_GOV_TEST_SCENARIO', 'The Gov-Test-Scenario was not found');
    }
    if (scenario === 'INSOLVENT_TRADER' || call.trader.insolvent) {
      throw createApiError(403, 'RULE_INSOLVENT_TRADER', 'The remote endpoint has indicated that the Trader is insolvent');
    }
    await applyClock(context, call.trader);
    return reply.code(operation.successStatus ?? 200).send(operation.answer(call, checkedInput));
  };
}

function readVatCall(context: HmrcContext, request: HmrcRequest): VatCall {
  const vrn = request.params['vrn'] ?? '';
  if (!/^\d{9}$/.test(vrn)) throw createApiError(400, 'VRN_INVALID', 'The provided VRN is invalid');
  assertAccepts(request, '1.0');
  const user = context.records.users.get(getCaller(request).userId ?? '');
  const trader = canActFor(context, user, 'MTD-VAT', vrn) ? context.records.traders.get(vrn) : undefined;
  if (!user || !trader) throw createApiError(403, 'CLIENT_OR_AGENT_NOT_AUTHORISED', 'The client and/or agent is not authorised.');
  return {
    params: request.params,
    query: searchParams(request),
    bodyText: readBodyText(request),
    trader,
    userId: user.userId,
    correlationId: randomUUID(),
    scenario: findTestScenario(request),
  };
}

/** Creates a parameter error in its unusual shape (docs/reference/hmrc.md section 3.2): `message` holds the code. */
export function createStatusError(message: string): HmrcApiError {
  return new HmrcApiError(400, { statusCode: 400, message });
}

/** HMRC responds with 404 instead of an empty list. */
export function createNoDataError(): HmrcApiError {
  return createApiError(404, 'NOT_FOUND', 'The remote endpoint has indicated that no data can be found');
}
