/** Obligations (income tax) 3.0 (docs/reference/hmrc.md section 6.2): quarterly updates and final declarations, derived from the calendar and the submissions received. */
import { addDays, parsePlainDate, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { getTaxYearStart, toTaxYear, getTaxYear, type TaxYear } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import { getValueOrForecast } from '@portal/domain/uk-tax/known.ts';
import { getSelfAssessmentDates } from '@portal/domain/uk-tax/self-assessment/dates.ts';
import { listMtdQuarterlyUpdates } from '@portal/domain/uk-tax/self-assessment/mtd-quarterly-updates.ts';
import type { HmrcContext } from '../hmrc/hmrc-context.ts';
import type { DeclarationsWire, UpdatesWire } from '@portal/providers/hmrc-agent/self-assessment-wire.ts';
import type { IncomeTaxRecord } from './agent-records.ts';
import { createIncomeTaxError, type IncomeTaxErrorCode, type IncomeTaxOperation } from './income-tax-service.ts';

type ObligationStatus = 'open' | 'fulfilled';
type UpdatesQuery = {
  readonly from?: PlainDate;
  readonly to?: PlainDate;
  readonly status?: ObligationStatus;
  readonly typeOfBusiness?: string;
  readonly businessId?: string;
};
type ObligationDetail = DeclarationsWire['obligations'][number];

const EARLIEST_FROM = plainDate('2018-04-06');
const FIRST_TAX_YEAR = 2017;
/** The first year of mandatory quarterly updates. */
const FIRST_UPDATE_YEAR = 2026;

const TEST_SCENARIOS = {
  NOT_FOUND: () => createIncomeTaxError('MATCHING_RESOURCE_NOT_FOUND'),
  NO_OBLIGATIONS_FOUND: () => createIncomeTaxError('NO_OBLIGATIONS_FOUND'),
  INSOLVENT_TRADER: () => createIncomeTaxError('RULE_INSOLVENT_TRADER'),
};

export function createUpdatesOperation(context: HmrcContext): IncomeTaxOperation<UpdatesQuery> {
  return {
    version: '3.0',
    check: (parameters) => readUpdatesQuery(parameters, context.clock.today()),
    scenarios: TEST_SCENARIOS,
    answer: (person, query) => {
      const { typeOfBusiness, businessId } = person.business;
      const isQueriedBusiness =
        (query.typeOfBusiness === undefined || query.typeOfBusiness === typeOfBusiness) &&
        (query.businessId === undefined || query.businessId === businessId);
      const matchingUpdates = isQueriedBusiness
        ? listUpdates(person, context.clock.today()).filter((update) => isWithin(update, query))
        : [];
      if (matchingUpdates.length === 0) throw createIncomeTaxError('NO_OBLIGATIONS_FOUND');
      return { obligations: [{ typeOfBusiness, businessId, obligationDetails: matchingUpdates }] } satisfies UpdatesWire;
    },
  };
}

export function createDeclarationsOperation(
  context: HmrcContext,
): IncomeTaxOperation<{ readonly taxYear?: TaxYear; readonly status?: ObligationStatus }> {
  return {
    version: '3.0',
    check: (parameters) => {
      const taxYear = parameters.get('taxYear');
      const status = readStatus(parameters);
      const faults: IncomeTaxErrorCode[] = [
        ...(taxYear === null ? [] : findTaxYearFaults(taxYear)),
        ...(status === 'wrong' ? ['FORMAT_STATUS' as const] : []),
      ];
      if (faults.length > 0 || status === 'wrong') return faults;
      return { ...(taxYear === null ? {} : { taxYear: toTaxYear(Number(taxYear.slice(0, 4))) }), ...(status ? { status } : {}) };
    },
    scenarios: TEST_SCENARIOS,
    answer: (person, { taxYear, status }) => {
      const foundDeclarations = listDeclarations(person, context.clock.today()).filter(
        (declaration) =>
          (taxYear === undefined || declaration.periodStartDate === getSelfAssessmentDates(taxYear).start) &&
          (status === undefined || declaration.status === status),
      );
      if (foundDeclarations.length === 0) throw createIncomeTaxError('NO_OBLIGATIONS_FOUND');
      return { obligations: foundDeclarations } satisfies DeclarationsWire;
    },
  };
}

function readUpdatesQuery(parameters: URLSearchParams, today: PlainDate): UpdatesQuery | IncomeTaxErrorCode[] {
  const typeOfBusiness = parameters.get('typeOfBusiness');
  const businessId = parameters.get('businessId');
  const status = readStatus(parameters);
  const faults: IncomeTaxErrorCode[] = [];
  if (typeOfBusiness !== null && !['self-employment', 'uk-property', 'foreign-property'].includes(typeOfBusiness)) {
    faults.push('FORMAT_TYPE_OF_BUSINESS');
  }
  if (businessId !== null && !/^X[a-zA-Z0-9]IS[0-9]{11}$/.test(businessId)) faults.push('FORMAT_BUSINESS_ID');
  if (businessId !== null && typeOfBusiness === null) faults.push('MISSING_TYPE_OF_BUSINESS');
  if (status === 'wrong') faults.push('FORMAT_STATUS');
  const dates = readDates(parameters);
  if (Array.isArray(dates)) faults.push(...dates);
  if (faults.length > 0 || Array.isArray(dates) || status === 'wrong') return faults;
  // Without dates, a request for open obligations returns all of them; any other request covers only the next year.
  const range = dates ?? (status === 'open' ? {} : { from: today, to: addDays(today, 366) });
  return {
    ...range,
    ...(status ? { status } : {}),
    ...(typeOfBusiness === null ? {} : { typeOfBusiness }),
    ...(businessId === null ? {} : { businessId }),
  };
}

function readDates(parameters: URLSearchParams): { readonly from: PlainDate; readonly to: PlainDate } | undefined | IncomeTaxErrorCode[] {
  const [fromText, toText] = [parameters.get('fromDate'), parameters.get('toDate')];
  if (fromText === null && toText === null) return undefined;
  if (fromText === null) return ['MISSING_FROM_DATE'];
  if (toText === null) return ['MISSING_TO_DATE'];
  const [from, to] = [parsePlainDate(fromText), parsePlainDate(toText)];
  if (from === undefined || to === undefined) {
    return [...(from === undefined ? ['FORMAT_FROM_DATE' as const] : []), ...(to === undefined ? ['FORMAT_TO_DATE' as const] : [])];
  }
  if (from < EARLIEST_FROM) return ['RULE_FROM_DATE_NOT_SUPPORTED'];
  if (to < from) return ['RANGE_TO_DATE_BEFORE_FROM_DATE'];
  return from < to && to < addDays(from, 366) ? { from, to } : ['RULE_DATE_RANGE_INVALID'];
}

function readStatus(parameters: URLSearchParams): ObligationStatus | undefined | 'wrong' {
  const status = parameters.get('status');
  if (status === null) return undefined;
  return status === 'open' || status === 'fulfilled' ? status : 'wrong';
}

function findTaxYearFaults(text: string): IncomeTaxErrorCode[] {
  const match = /^(\d{4})-(\d{2})$/.exec(text);
  if (!match) return ['FORMAT_TAX_YEAR'];
  const year = Number(match[1]);
  if ((year + 1) % 100 !== Number(match[2])) return ['RULE_TAX_YEAR_RANGE_INVALID'];
  return year < FIRST_TAX_YEAR ? ['RULE_TAX_YEAR_NOT_SUPPORTED'] : [];
}

/** Lists all four updates of each tax year up to the current one. They are cumulative and start on 6 April. */
function listUpdates(person: IncomeTaxRecord, today: PlainDate): ObligationDetail[] {
  if (!person.hasData) return [];
  return listYearsBetween(FIRST_UPDATE_YEAR, getTaxYearStart(getTaxYear(today))).flatMap((year) =>
    (getValueOrForecast(listMtdQuarterlyUpdates(toTaxYear(year))) ?? []).map(({ start, end, due }) =>
      toDetail(start, end, due, person.updatesReceived[due]),
    ),
  );
}

/** Lists one declaration for each tax year that has ended. */
function listDeclarations(person: IncomeTaxRecord, today: PlainDate): ObligationDetail[] {
  if (!person.hasData) return [];
  return listYearsBetween(Number(person.firstTaxYear.slice(0, 4)), getTaxYearStart(getTaxYear(today)) - 1).map((year) => {
    const { tax_year, start, end, online_return } = getSelfAssessmentDates(toTaxYear(year));
    return toDetail(start, end, online_return, person.declarationsReceived[tax_year]);
  });
}

function toDetail(start: PlainDate, end: PlainDate, due: PlainDate, receivedOn: PlainDate | undefined): ObligationDetail {
  return {
    periodStartDate: start,
    periodEndDate: end,
    dueDate: due,
    ...(receivedOn === undefined ? { status: 'open' } : { status: 'fulfilled', receivedDate: receivedOn }),
  };
}

function isWithin({ periodStartDate, periodEndDate, status }: ObligationDetail, query: UpdatesQuery): boolean {
  return (
    (query.status === undefined || status === query.status) &&
    (query.from === undefined || periodEndDate >= query.from) &&
    (query.to === undefined || periodStartDate <= query.to)
  );
}

function listYearsBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => first + index);
}
