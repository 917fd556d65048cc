/** What every income tax call does before its own work (FACTS 6): Accept, NINO, enrolment; then all faults of the request at once. */
import { randomUUID } from 'node:crypto';
import { parseNino } from '@portal/domain/uk-tax/references/nino.ts';
import { acceptsVersion, fault, wrongAccept, type ApiCall } from '../hmrc/gateway.ts';
import type { HmrcContext } from '../hmrc/hmrc-context.ts';
import { mayActFor } from './agent-authority.ts';
import type { IncomeTaxRecord } from './agent-records.ts';

/** Checks the query; a list of codes where something is wrong with it. */
export type IncomeTaxOperation<Query> = {
  readonly version: '3.0' | '4.0';
  readonly check: (parameters: URLSearchParams) => Query | FaultCode[];
  readonly scenarios: Readonly<Record<string, () => Response>>;
  readonly answer: (person: IncomeTaxRecord, query: Query) => Response;
};

export function serveIncomeTax<Query extends object>(
  context: HmrcContext,
  operation: IncomeTaxOperation<Query>,
): (call: ApiCall) => Response {
  return (call) => {
    if (!acceptsVersion(call.request, operation.version)) return wrongAccept();
    const response = answerCall(context, operation, call);
    response.headers.set('X-CorrelationId', randomUUID());
    response.headers.set('X-Content-Type-Options', 'nosniff');
    return response;
  };
}

function answerCall<Query extends object>(context: HmrcContext, operation: IncomeTaxOperation<Query>, call: ApiCall): Response {
  const nino = (call.params['nino'] ?? '').toUpperCase();
  if (!parseNino(nino).ok || nino.length !== 9) return faultOf('FORMAT_NINO');
  const user = context.records.users.get(call.caller.userId ?? '');
  const person = mayActFor(context, user, 'MTD-IT', nino) ? context.records.incomeTax.get(nino) : undefined;
  if (!person) return faultOf('CLIENT_OR_AGENT_NOT_AUTHORISED');
  const query = operation.check(call.url.searchParams);
  if (Array.isArray(query)) return faultsOf(query);
  const scenario = call.request.headers.get('gov-test-scenario');
  if (scenario !== null) return operation.scenarios[scenario]?.() ?? faultOf('RULE_INCORRECT_GOV_TEST_SCENARIO');
  return operation.answer(person, query);
}

const FAULTS = {
  CLIENT_OR_AGENT_NOT_AUTHORISED: [403, 'The client or agent is not authorised'],
  FORMAT_BUSINESS_ID: [400, 'The provided businessId is invalid'],
  FORMAT_CALCULATE_ACCRUED_INTEREST: [400, 'The format for calculatingAccruedInterest is not valid.'],
  FORMAT_CUSTOMER_PAYMENT_INFORMATION: [400, 'The format of customerPaymentInformation is not valid.'],
  FORMAT_DOC_NUMBER: [400, 'The format of docNumber is not valid.'],
  FORMAT_FROM_DATE: [400, 'The provided fromDate is invalid'],
  FORMAT_INCLUDE_ESTIMATED_CHARGES: [400, 'The format of includeEstimatedCharges is not valid'],
  FORMAT_INCLUDE_LOCKS: [400, 'The format of includeLocks is not valid.'],
  FORMAT_NINO: [400, 'The provided NINO is invalid'],
  FORMAT_ONLY_OPEN_ITEMS: [400, 'The format of onlyOpenItem is not valid.'],
  FORMAT_PAYMENT_LOT: [400, 'The format of the supplied paymentLot value is not valid.'],
  FORMAT_PAYMENT_LOT_ITEM: [400, 'The format of the supplied paymentLotItem value is not valid.'],
  FORMAT_REMOVE_PAYMENT_ON_ACCOUNT: [400, 'The format of removePOA is not valid.'],
  FORMAT_STATUS: [400, 'The provided status is invalid'],
  FORMAT_TAX_YEAR: [400, 'The provided tax year is invalid'],
  FORMAT_TO_DATE: [400, 'The provided toDate is invalid'],
  FORMAT_TYPE_OF_BUSINESS: [400, 'The provided typeOfBusiness field is invalid'],
  INVALID_DATE_RANGE: [400, 'The provided date range is invalid.'],
  MATCHING_RESOURCE_NOT_FOUND: [404, 'Matching resource not found'],
  MISSING_FROM_DATE: [400, 'The From date parameter is missing'],
  MISSING_PAYMENT_LOT: [400, 'The paymentLotItem value has been provided, but paymentLot value is missing.'],
  MISSING_PAYMENT_LOT_ITEM: [400, 'The paymentLot value has been provided, but the paymentLotItem value is missing.'],
  MISSING_TO_DATE: [400, 'The To date parameter is missing'],
  MISSING_TYPE_OF_BUSINESS: [400, 'The type of business query parameter must be provided when an incomeSourceId is supplied'],
  NO_OBLIGATIONS_FOUND: [404, 'No obligations found using this filter'],
  RANGE_TO_DATE_BEFORE_FROM_DATE: [400, 'The To date must be after the From date'],
  RULE_DATE_RANGE_INVALID: [400, 'The specified date range is invalid'],
  RULE_FROM_DATE_NOT_SUPPORTED: [400, 'The specified From date is not supported as too early'],
  RULE_INCONSISTENT_QUERY_PARAMS: [400, 'Provide date range or docNumber when onlyOpenItems is false.'],
  RULE_INCORRECT_GOV_TEST_SCENARIO: [400, 'The supplied Gov-Test-Scenario is not valid'],
  // 400 here, unlike VAT's 403.
  RULE_INSOLVENT_TRADER: [400, 'The remote endpoint has indicated that the Trader is insolvent'],
  RULE_INVALID_DATE_RANGE: [400, 'The provided date range is not valid.'],
  RULE_TAX_YEAR_NOT_SUPPORTED: [400, 'The tax year specified does not lie within the supported range'],
  RULE_TAX_YEAR_RANGE_INVALID: [400, 'A tax year range of one year is required'],
} as const satisfies Readonly<Record<string, readonly [status: number, message: string]>>;
export type FaultCode = keyof typeof FAULTS;

export function faultOf(code: FaultCode): Response {
  const [status, message] = FAULTS[code];
  return fault(status, code, message);
}

/** One fault speaks for itself; several stand in a list, sorted by code. */
function faultsOf(codes: readonly FaultCode[]): Response {
  const [only, ...rest] = codes;
  if (only !== undefined && rest.length === 0) return faultOf(only);
  const errors = [...codes].sort().map((code) => ({ code, message: FAULTS[code][1] }));
  return Response.json({ code: 'INVALID_REQUEST', message: 'Invalid request', errors }, { status: 400 });
}
