/** GET /{vrn}/obligations (docs/reference/hmrc.md section 3.3). */
import { addMonths, parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { ObligationWire } from '@portal/providers/hmrc/hmrc-wire.ts';
import type { HmrcContext } from './hmrc-context.ts';
import { listObligationStates, type ObligationState } from './obligation-states.ts';
import { createNoDataError, createStatusError, type VatCall, type VatOperation } from './vat-service.ts';
import { OBLIGATION_SCENARIOS } from './obligation-scenarios.ts';

type ObligationsQuery = { readonly status?: 'O' | 'F'; readonly from?: PlainDate; readonly to?: PlainDate };

export function createObligationsOperation(context: HmrcContext): VatOperation<ObligationsQuery> {
  return {
    check: ({ query }) => readQuery(query),
    scenarios: [...Object.keys(OBLIGATION_SCENARIOS), 'INSOLVENT_TRADER', 'NOT_FOUND'],
    answer: (call, query) => {
      const foundObligations =
        call.scenario === undefined ? listOwnObligations(context, call, query) : listScenarioObligations(call.scenario, query);
      if (foundObligations.length === 0) throw createNoDataError();
      return { obligations: foundObligations };
    },
  };
}

/** Rejects with the first error only. An empty parameter counts as given. */
function readQuery(parameters: URLSearchParams): ObligationsQuery {
  const [from, to, status] = [parameters.get('from'), parameters.get('to'), parameters.get('status')];
  if (from === null && to === null) {
    if (status === 'O') return { status };
    throw createStatusError(status === null ? 'INVALID_DATE_FROM' : status === 'F' ? 'MISSING_DATE_RANGE' : 'INVALID_STATUS');
  }
  // Rejects a single date even for open obligations, which don't need dates.
  if (from === null) throw createStatusError('INVALID_DATE_FROM');
  if (to === null) throw createStatusError('INVALID_DATE_TO');
  const [start, end] = [parsePlainDate(from), parsePlainDate(to)];
  if (start === undefined) throw createStatusError('INVALID_DATE_FROM');
  if (end === undefined) throw createStatusError('INVALID_DATE_TO');
  if (status !== null && status !== 'O' && status !== 'F') throw createStatusError('INVALID_STATUS');
  // HMRC's description says "366 days or less"; its server compares with one calendar year.
  if (start >= end || end > addMonths(start, 12)) throw createStatusError('INVALID_DATE_RANGE');
  return { from: start, to: end, ...(status === null ? {} : { status }) };
}

function listOwnObligations(context: HmrcContext, { trader }: VatCall, { status, from, to }: ObligationsQuery): ObligationWire[] {
  return (
    listObligationStates(context, trader.vrn)
      .filter((obligation) => status === undefined || obligation.status === status)
      // "As long as from is not after today, the current open obligation is returned" (hmrc/vat-api issue 201): periods that touch the
      // range.
      .filter(({ start, end }) => (to === undefined || start <= to) && (from === undefined || end >= from))
      .map(toObligationWire)
  );
}

function toObligationWire({ start, end, due, status, periodKey, filed }: ObligationState): ObligationWire {
  return { start, end, due, status, periodKey, ...(status === 'F' && filed ? { received: filed.receivedOn } : {}) };
}

/** Scenarios ignore the requested dates, as in HMRC's own sandbox. */
function listScenarioObligations(scenario: string, { status }: ObligationsQuery): ObligationWire[] {
  return (OBLIGATION_SCENARIOS[scenario]?.() ?? []).filter((obligation) => status === undefined || obligation.status === status);
}
