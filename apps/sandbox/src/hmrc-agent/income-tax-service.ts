/**
 * Steps shared by every income tax call (docs/reference/hmrc.md section 6): Accept, NINO and enrolment, then all errors in the request
 * together.
 */
import { randomUUID } from 'node:crypto';
import { parseNino } from '@portal/domain/uk-tax/references/nino.ts';
import { searchParams } from '../simulator/request.ts';
import { assertAccepts, findTestScenario, getCaller, type HmrcHandler, type HmrcRequest } from '../hmrc/gateway.ts';
import { createApiError, createErrorList, type HmrcApiError } from '../hmrc/hmrc-api-error.ts';
import type { HmrcContext } from '../hmrc/hmrc-context.ts';
import { canActFor } from './agent-authority.ts';
import type { IncomeTaxRecord } from './agent-records.ts';

export type IncomeTaxOperation<Query> = {
  readonly version: '3.0' | '4.0';
  /** Returns the parsed query, or the codes of all its errors. */
  readonly check: (parameters: URLSearchParams) => Query | IncomeTaxErrorCode[];
  readonly scenarios: Readonly<Record<string, () => HmrcApiError>>;
  /** Returns the response body. Throws an HmrcApiError to reject the call. */
  readonly answer: (person: IncomeTaxRecord, query: Query) => object;
};

export function createIncomeTaxHandler<Query extends object>(context: HmrcContext, operation: IncomeTaxOperation<Query>): HmrcHandler {
  return (request, reply) => {
    assertAccepts(request, operation.version);
    reply.headers({ 'X-CorrelationId': randomUUID(), 'X-Content-Type-Options': 'nosniff' });
    const incomeTaxRecord = findPerson(context, request);
    const query = operation.check(searchParams(request));
    if (Array.isArray(query)) throw createIncomeTaxErrors(query);
    const scenario = findTestScenario(request);
    if (scenario !== undefined) throw operation.scenarios[scenario]?.() ?? createIncomeTaxError('RULE_INCORRECT_GOV_TEST_SCENARIO');
    return reply.send(operation.answer(incomeTaxRecord, query));
  };
}

function findPerson(context: HmrcContext, request: HmrcRequest): IncomeTaxRecord {
  const nino = (request.params['nino'] ?? '').toUpperCase();
  if (!parseNino(nino).ok || nino.length !== 9) throw createIncomeTaxError('FORMAT_NINO');
  const user = context.records.users.get(getCaller(request).userId ?? '');
  const incomeTaxRecord = canActFor(context, user, 'MTD-IT', nino) ? context.records.incomeTax.get(nino) : undefined;
  if (!incomeTaxRecord) throw createIncomeTaxError('CLIENT_OR_AGENT_NOT_AUTHORISED');
  return incomeTaxRecord;
}

const INCOME_TAX_ERRORS = {
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
  // Income tax uses 400 here; VAT uses 403.
  RULE_INSOLVENT_TRADER: [400, 'The remote endpoint has indicated that the Trader is insolvent'],
  RULE_INVALID_DATE_RANGE: [400, 'The provided date range is not valid.'],
  RULE_TAX_YEAR_NOT_SUPPORTED: [400, 'The tax year specified does not lie within the supported range'],
  RULE_TAX_YEAR_RANGE_INVALID: [400, 'A tax year range of one year is required'],
} as const satisfies Readonly<Record<string, readonly [status: number, message: string]>>;
export type IncomeTaxErrorCode = keyof typeof INCOME_TAX_ERRORS;

export function createIncomeTaxError(code: IncomeTaxErrorCode): HmrcApiError {
  const [status, message] = INCOME_TAX_ERRORS[code];
  return createApiError(status, code, message);
}

/** A single error has the usual format; several errors are sent as a list, sorted by code. */
function createIncomeTaxErrors(codes: readonly IncomeTaxErrorCode[]): HmrcApiError {
  const [onlyCode, ...rest] = codes;
  if (onlyCode !== undefined && rest.length === 0) return createIncomeTaxError(onlyCode);
  return createErrorList(
    400,
    [...codes].sort().map((code) => ({ code, message: INCOME_TAX_ERRORS[code][1] })),
  );
}
