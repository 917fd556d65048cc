/** Test Fraud Prevention Headers 1.0 (FACTS 9): judges the headers of the request itself, or those of the last VAT calls. */
import { json } from '../simulator/responses.ts';
import { FRAUD_HEADER_NAMES, gradeFraudHeaders, type FraudGrade } from './grade-fraud-headers.ts';
import { CALLS_COUNTED } from './call-statistics.ts';
import { acceptsVersion, fault, wrongAccept, type ApiCall } from './gateway.ts';
import type { HmrcContext } from './hmrc-context.ts';
import type { CallRecord } from './hmrc-records.ts';

/** How many calls are remembered for the control page. */
const CALLS_KEPT = 200;

export function answerValidation({ request }: ApiCall): Response {
  if (!acceptsVersion(request, '1.0')) return wrongAccept();
  return json(200, gradeFraudHeaders(request.headers));
}

/** The verdict on the last request of this application to each endpoint of the API. */
export function answerFeedback(context: HmrcContext, { request, params, url, caller }: ApiCall): Response {
  if (!acceptsVersion(request, '1.0')) return wrongAccept();
  if (params['api'] !== 'vat-mtd') return fault(404, 'MATCHING_RESOURCE_NOT_FOUND', 'No such API is measured');
  const method = url.searchParams.get('connectionMethod');
  if (method !== null && method !== 'WEB_APP_VIA_SERVER') return json(200, { requests: [] });
  const requests = context.records.lastCalls
    .list()
    .filter(({ key, document }) => key.startsWith('vat-mtd ') && document.clientId === caller.clientId)
    .map(({ document }) => feedbackOn(document));
  return json(200, { requests });
}

/** Remembers a call, answered or refused, with what its fraud headers are worth; the oldest beyond 200 are forgotten. */
export function recordCall(context: HmrcContext, call: Omit<CallRecord, 'fraudHeaders' | 'fraudGrade'>, headers: Headers): void {
  const record: CallRecord = {
    ...call,
    fraudHeaders: Object.fromEntries([...headers].filter(([name]) => name.startsWith('gov-client-') || name.startsWith('gov-vendor-'))),
    fraudGrade: gradeFraudHeaders(headers),
  };
  const { records } = context;
  context.store.atomically(() => {
    const number = Number(records.settings.get(CALLS_COUNTED) ?? 0) + 1;
    records.settings.put(CALLS_COUNTED, number);
    records.calls.put(String(number), record);
    records.calls.delete(String(number - CALLS_KEPT));
    if (call.path.startsWith('/organisations/vat/') && call.operation !== 'hmrc.check_vat_number') {
      records.lastCalls.put(`vat-mtd ${call.clientId ?? ''} ${call.operation}`, record);
    }
  });
}

/** The calls remembered, newest first. */
export function listRecordedCalls(context: HmrcContext, count: number): CallRecord[] {
  return context.records.calls
    .list()
    .map(({ document }) => document)
    .reverse()
    .slice(0, count);
}

function feedbackOn(call: CallRecord): Record<string, unknown> {
  const grade: FraudGrade = call.fraudGrade;
  return {
    path: call.path,
    method: call.method,
    requestTimestamp: call.at,
    code: grade.code,
    headers: FRAUD_HEADER_NAMES.map((header) => {
      const about = (findings: FraudGrade['errors']) => findings.filter(({ headers }) => headers.includes(header));
      const [errors, warnings] = [about(grade.errors), about(grade.warnings)];
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
