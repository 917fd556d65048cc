/** Rules about VAT schemes, based on a client's 12-month turnover. They advise the practice, never the client. */
import { countDaysBetween, formatDate } from '../plain-date.ts';
import type { AgentTax, ClientFacts } from './agent-facts.ts';
import { defineRule, type AgentFact, type AgentRule, type Finding, type RuleContext } from './agent-rule.ts';
import { findReturnYear, MAX_AGE_DAYS, type ReturnYear } from './known-returns.ts';
import { createTaskAction, formatAmount, isCurrent, listReadFigures, toPracticeFact, toTaxFact } from './rule-text.ts';
import { findTurnover, formatMonths, getYearStart } from './turnover.ts';

/** From docs/reference/uk-tax.md, section 1.10. */
const FLAT_RATE_JOIN_PENCE = 15_000_000;
const LIMITED_COST_PER_MILLE = 165;
const CASH_JOIN_PENCE = 135_000_000;
const CASH_LEAVE_PENCE = 160_000_000;
/** From docs/reference/uk-tax.md, section 1.1. */
const ANNUAL_JOIN_PENCE = 135_000_000;

/** For box 1 or box 5, turnover alone isn't enough. */
const DATA_SOURCES = [
  'the boxes of VAT returns read from HMRC or filed here, for 12 months without a gap',
  'turnover from the client’s books, or entered by your practice, if newer',
] as const;

export const VAT_SCHEME_RULES: readonly AgentRule[] = [
  defineRule({
    id: 'flat-rate-suits',
    version: 4,
    name: 'Flat rate scheme may be suitable',
    looksFor:
      '12-month turnover of up to £150,000, with net VAT a high share of VAT-inclusive turnover: a flat rate below that share would have cost less. The rate depends on the type of business, which the portal doesn’t know. A VAT group can’t use the scheme. Proposed at most once per calendar year.',
    reads: DATA_SOURCES,
    proposes: 'task',
    taxes: ['vat'],
    threshold: {
      unit: 'percent',
      text: 'Minimum net VAT as a share of VAT-inclusive turnover',
      normal: 12,
      min: 4,
      max: 17,
      isFloor: true,
    },
    law: { text: 'GOV.UK: VAT Flat Rate Scheme, eligibility', url: 'https://www.gov.uk/vat-flat-rate-scheme/eligibility' },
    find: findFlatRate,
  }),
  defineRule({
    id: 'annual-accounting-suits',
    version: 4,
    name: 'Annual accounting may be suitable',
    looksFor:
      'Several returns a year, some of them late, 12-month turnover of up to £1,350,000, and nothing overdue now: one return a year may be easier. A VAT group can’t use the scheme. Proposed at most once per calendar year.',
    reads: [...DATA_SOURCES, 'the dates HMRC received the returns', 'overdue returns and amounts'],
    proposes: 'task',
    taxes: ['vat'],
    threshold: { unit: 'count', text: 'Late returns in those 12 months', normal: 2, min: 1, max: 12, isFloor: true },
    law: { text: 'GOV.UK: VAT Annual Accounting Scheme, eligibility', url: 'https://www.gov.uk/vat-annual-accounting-scheme/eligibility' },
    find: findAnnualAccounting,
  }),
  defineRule({
    id: 'cash-accounting-suits',
    version: 2,
    name: 'Cash accounting may be suitable',
    looksFor:
      '12-month turnover of up to £1,350,000, more VAT to pay than to reclaim in that time, nothing overdue now, and a sign that customers pay late: VAT for which HMRC charged a late payment penalty, or bad debt relief in the books. The portal doesn’t know what customers owe. Proposed at most once per calendar year.',
    reads: [...DATA_SOURCES, 'HMRC’s late payment penalties', 'bad debt relief in the client’s books', 'overdue returns and amounts'],
    proposes: 'task',
    taxes: ['vat'],
    threshold: { unit: 'count', text: 'VAT periods with a late payment penalty', normal: 1, min: 1, max: 8, isFloor: true },
    law: {
      text: 'VAT Regulations 1995, regulations 56 to 65; VAT Notice 731',
      url: 'https://www.gov.uk/government/publications/vat-notice-731-cash-accounting',
    },
    find: findCashAccounting,
  }),
];

/** The advice doesn't change within a year, so the calendar year identifies it. */
const toSubject = ({ end }: ReturnYear): string => end.slice(0, 4);
const listQuarterFacts = ({ returns }: ReturnYear): AgentFact[] =>
  returns.map(({ end, box6_pounds: turnover, net_pence: net, source, as_of: asOf }) => ({
    label: `Return for the period to ${formatDate(end)}`,
    text: `box 6 ${formatAmount(turnover * 100)}, net VAT ${formatAmount(net)}`,
    page: 'vat',
    source,
    as_of: asOf,
  }));

/** Returns 12 months of returns, unless the newest turnover is above a scheme's limit. */
function findYearBelow(client: ClientFacts, { today }: RuleContext, limit: number): ReturnYear | undefined {
  if (!isCurrent(client)) return undefined;
  const year = findReturnYear(client, today);
  const newestTurnover = findTurnover(client, today);
  return year && year.turnover_pence <= limit && newestTurnover && newestTurnover.turnover_pence <= limit ? year : undefined;
}

/** HMRC doesn't let clients with overdue returns or payments join the annual and cash accounting schemes. */
const canJoinScheme = ({ overdue_returns: returns, overdue_pence: overdueAmount, is_insolvent: isInsolvent }: AgentTax): boolean =>
  returns === 0 && overdueAmount === 0 && !isInsolvent;

/**
 * If most returns show no purchases or reclaimed VAT, the client probably already uses the flat rate scheme. The exceptions may contain a
 * capital asset, whose VAT is reclaimed in box 4.
 */
const usesFlatRate = ({ returns }: ReturnYear): boolean =>
  returns.filter(({ box4_pence: box4, box7_pounds: box7 }) => box4 === 0 && box7 === 0).length * 2 >= returns.length;

const BOX_6_CAVEAT = 'Box 6 also includes exempt and overseas sales, so taxable turnover may be lower.';

/** VAT Regulations 1995 reg 55L excludes a group's members. */
function findFlatRate(client: ClientFacts, context: RuleContext): Finding[] {
  if (client.represents_vat_group) return [];
  const year = findYearBelow(client, context, FLAT_RATE_JOIN_PENCE);
  if (!year || year.net_pence <= 0 || usesFlatRate(year)) return [];
  const gross = year.turnover_pence + year.box1_pence;
  const costPerMille = gross <= 0 ? 0 : Math.floor((year.net_pence * 1000) / gross);
  if (costPerMille < context.threshold * 10) return [];
  const [share, net, grossText] = [`${(costPerMille / 10).toFixed(1)}%`, formatAmount(year.net_pence), formatAmount(gross)];
  const limited = Math.round((gross * LIMITED_COST_PER_MILLE) / 1000);
  const difference = year.net_pence - limited;
  const limitedCostText = `At the 16.5% rate for limited cost businesses it would have been ${formatAmount(limited)}, ${formatAmount(Math.abs(difference))} ${difference >= 0 ? 'less' : 'more'}.`;
  return [
    {
      subject: toSubject(year),
      title: `Flat rate scheme may be suitable: net VAT is ${share} of VAT-inclusive turnover`,
      tax: 'vat',
      facts: [
        toPracticeFact(
          'Box 6 over 12 months',
          `${formatAmount(year.turnover_pence)}, ${formatMonths(year)}; limit to join ${formatAmount(FLAT_RATE_JOIN_PENCE)}`,
          'vat',
        ),
        toPracticeFact(
          'Turnover including box 1',
          `${formatAmount(year.turnover_pence)} + ${formatAmount(year.box1_pence)} = ${grossText}`,
          'vat',
        ),
        toPracticeFact('Net VAT as a share of VAT-inclusive turnover', `${net} / ${grossText} = ${share}`, 'vat'),
        ...listQuarterFacts(year),
      ],
      act: createTaskAction(client, context, {
        title: 'Check whether the VAT flat rate scheme would be suitable',
        notes: `Net VAT from ${formatMonths(year)} was ${net}, which is ${share} of VAT-inclusive turnover of ${grossText}. A flat rate below ${share} would have cost less. ${limitedCostText} Whether the scheme is suitable depends on the flat rate for the type of business, capital goods, and the next 12 months. Box 1 may include reverse charges, and box 6 sales that aren’t taxable.`,
        inDays: 14,
        service: 'vat',
      }),
      due_on: null,
    },
  ];
}

/** VAT Regulations 1995 reg 52 excludes those registered in the name of a group. */
function findAnnualAccounting(client: ClientFacts, context: RuleContext): Finding[] {
  if (client.represents_vat_group) return [];
  const year = findYearBelow(client, context, ANNUAL_JOIN_PENCE);
  const vat = listReadFigures(client).find(({ tax }) => tax === 'vat');
  if (!year || !vat || year.returns.length < 2 || year.net_pence <= 0 || !canJoinScheme(vat)) return [];
  const lateReturns = vat.returns.filter(
    ({ end, due_on: due, received_on: on }) => end > year.start && end <= year.end && due !== null && on !== null && on > due,
  );
  if (lateReturns.length < context.threshold) return [];
  const [turnover, count] = [formatAmount(year.turnover_pence), `${lateReturns.length} of ${year.returns.length}`];
  return [
    {
      subject: toSubject(year),
      title: `Annual accounting may be suitable: ${count} VAT returns were late`,
      tax: 'vat',
      facts: [
        toPracticeFact(
          'Box 6 over 12 months',
          `${turnover}, ${formatMonths(year)}; limit to join ${formatAmount(ANNUAL_JOIN_PENCE)}`,
          'vat',
        ),
        toTaxFact(vat, 'Late VAT returns', count),
        toPracticeFact('Net VAT over 12 months', formatAmount(year.net_pence), 'vat'),
        ...listQuarterFacts(year),
      ],
      act: createTaskAction(client, context, {
        title: 'Check whether VAT annual accounting would be suitable',
        notes: `From ${formatMonths(year)}, ${count} VAT returns were late. Turnover was ${turnover}, and net VAT ${formatAmount(year.net_pence)}. With annual accounting, the client files one return a year and pays in instalments. It may not suit a client that often reclaims VAT or whose turnover falls. ${BOX_6_CAVEAT}`,
        inDays: 14,
        service: 'vat',
      }),
      due_on: null,
    },
  ];
}

function findCashAccounting(client: ClientFacts, context: RuleContext): Finding[] {
  const year = findYearBelow(client, context, CASH_JOIN_PENCE);
  const vat = listReadFigures(client).find(({ tax }) => tax === 'vat');
  if (!year || !vat || year.net_pence <= 0 || !canJoinScheme(vat) || usesFlatRate(year)) return [];
  const booksTurnovers = client.turnovers.filter(({ source }) => source === 'books');
  // A client whose books are on a cash basis already uses the scheme.
  if (booksTurnovers.at(-1)?.is_cash_basis === true) return [];
  const books = booksTurnovers.findLast(({ end }) => end <= context.today && countDaysBetween(end, context.today) <= MAX_AGE_DAYS);
  const months = books ? formatMonths({ start: getYearStart(books.end), end: books.end }) : '';
  const latePayments = client.late_vat_payments.filter((end) => end > year.start && end <= year.end);
  const badDebts = books?.bad_debt_pence ?? 0;
  const isLate = latePayments.length >= context.threshold;
  if (!isLate && badDebts <= 0) return [];
  const [turnover, periods] = [formatAmount(year.turnover_pence), latePayments.map((end) => formatDate(end)).join(', ')];
  const badDebtSigns = [
    ...(isLate ? [`HMRC charged late payment penalties for the VAT periods to ${periods}`] : []),
    ...(badDebts > 0 ? [`the books from ${months} show ${formatAmount(badDebts)} of bad debt relief`] : []),
  ].join(', and ');
  return [
    {
      subject: toSubject(year),
      title: `Cash accounting may be suitable: ${isLate ? `VAT was late for ${latePayments.length} of ${year.returns.length} periods` : 'customers didn’t pay'}`,
      tax: 'vat',
      facts: [
        toPracticeFact('Box 6 over 12 months', `${turnover}, ${formatMonths(year)}; limit to join ${formatAmount(CASH_JOIN_PENCE)}`, 'vat'),
        toPracticeFact('Net VAT over 12 months', `${formatAmount(year.net_pence)} to pay`, 'vat'),
        ...(isLate ? [toTaxFact(vat, 'Late payment penalties', `VAT periods to ${periods}`)] : []),
        ...(books && badDebts > 0
          ? [{ ...toPracticeFact('Bad debt relief in the books', `${formatAmount(badDebts)}, ${months}`, 'vat'), as_of: books.known_on }]
          : []),
        ...listQuarterFacts(year),
      ],
      act: createTaskAction(client, context, {
        title: 'Check whether VAT cash accounting would be suitable',
        notes: `From ${formatMonths(year)}, turnover was ${turnover}, and ${badDebtSigns}. With cash accounting, the client pays VAT to HMRC once its customers have paid, and reclaims it once it has paid its suppliers. It helps a client that gives credit or has bad debts, but not one that is paid immediately or usually reclaims VAT. A client can join without telling HMRC, from the start of a VAT period, if taxable turnover in the next 12 months is expected to be ${formatAmount(CASH_JOIN_PENCE)} or less, and must leave above ${formatAmount(CASH_LEAVE_PENCE)}. ${BOX_6_CAVEAT}`,
        inDays: 14,
        service: 'vat',
      }),
      due_on: null,
    },
  ];
}
