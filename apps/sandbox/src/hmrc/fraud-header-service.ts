/**
 * Test Fraud Prevention Headers 1.0 (docs/reference/hmrc.md section 9): validates the headers of the current request, or those of the last
 * VAT calls.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { searchParams } from '../simulator/request.ts';
import { FRAUD_HEADER_NAMES, validateFraudHeaders, type FraudValidation } from './grade-fraud-headers.ts';
import { CALL_COUNT_KEY } from './call-statistics.ts';
import { assertAccepts, getCaller, type HmrcRequest } from './gateway.ts';
import { createApiError } from './hmrc-api-error.ts';
import type { HmrcContext } from './hmrc-context.ts';
import type { CallRecord } from './hmrc-records.ts';

/** The number of calls the control page can show. */
const MAX_STORED_CALLS = 200;

export function handleValidation(request: HmrcRequest, reply: FastifyReply): FastifyReply {
  assertAccepts(request, '1.0');
  return reply.send(validateFraudHeaders(getFraudHeaders(request.headers)));
}

/** Returns the result for this app's last request to each endpoint of the API. */
export function handleFeedback(context: HmrcContext, request: HmrcRequest, reply: FastifyReply): FastifyReply {
  assertAccepts(request, '1.0');
  if (request.params['api'] !== 'vat-mtd') throw createApiError(404, 'MATCHING_RESOURCE_NOT_FOUND', 'No such API is measured');
  const method = searchParams(request).get('connectionMethod');
  if (method !== null && method !== 'WEB_APP_VIA_SERVER') return reply.send({ requests: [] });
  const caller = getCaller(request);
  const requests = context.records.lastCalls
    .list()
    .filter(({ key, document }) => key.startsWith('vat-mtd ') && document.clientId === caller.clientId)
    .map(({ document }) => toFeedback(document));
  return reply.send({ requests });
}

/** Stores a served or rejected call with the grade of its fraud headers. Deletes the oldest calls beyond 200. */
export function recordCall(
  context: HmrcContext,
  call: Omit<CallRecord, 'fraudHeaders' | 'fraudGrade'>,
  headers: FastifyRequest['headers'],
): void {
  const fraudHeaders = getFraudHeaders(headers);
  const record: CallRecord = { ...call, fraudHeaders, fraudGrade: validateFraudHeaders(fraudHeaders) };
  const { records } = context;
  context.store.atomically(() => {
    const number = Number(records.settings.get(CALL_COUNT_KEY) ?? 0) + 1;
    records.settings.put(CALL_COUNT_KEY, number);
    records.calls.put(String(number), record);
    records.calls.delete(String(number - MAX_STORED_CALLS));
    if (call.path.startsWith('/organisations/vat/') && call.operation !== 'hmrc.check_vat_number') {
      records.lastCalls.put(`vat-mtd ${call.clientId ?? ''} ${call.operation}`, record);
    }
  });
}

/** Lists the stored calls, newest first. */
export function listRecordedCalls(context: HmrcContext, count: number): CallRecord[] {
  return context.records.calls
    .list()
    .map(({ document }) => document)
    .reverse()
    .slice(0, count);
}

function getFraudHeaders(headers: FastifyRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      (name.startsWith('gov-client-') || name.startsWith('gov-vendor-')) && value !== undefined ? [[name, [value].flat().join(', ')]] : [],
    ),
  );
}

function toFeedback(call: CallRecord): Record<string, unknown> {
  const grade: FraudValidation = call.fraudGrade;
  return {
    path: call.path,
    method: call.method,
    requestTimestamp: call.at,
    code: grade.code,
    headers: FRAUD_HEADER_NAMES.map((header) => {
      const listFindingsFor = (findings: FraudValidation['errors']) => findings.filter(({ headers }) => headers.includes(header));
      const [errors, warnings] = [listFindingsFor(grade.errors), listFindingsFor(grade.warnings)];
      return {
        header,
        value: call.fraudHeaders[header] ?? '',
        code: errors[0]?.code ?? warnings[0]?.code ?? 'VALID_HEADER',
        errors: errors.map(({ message }) => message),
        warnings: warnings.map(({ message }) => message),
      };
    }),
  };
}
