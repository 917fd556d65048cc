/** Rules about VAT registration and schemes, based on twelve months of returns filed here. They advise the practice, never the client. */
import { formatDate } from '../plain-date.ts';
import type { ClientFacts } from './agent-facts.ts';
import { defineRule, type AgentFact, type AgentRule, type Finding, type RuleContext } from './agent-rule.ts';
import { findFiledYear, type FiledYear } from './prepared-returns.ts';
import { chore, isCurrent, listRead, pounds, practiceFact, taxFact } from './rule-text.ts';

/** From docs/reference/uk-tax.md, section 1.10. */
const DEREGISTRATION_PENCE = 8_800_000;
const FLAT_RATE_JOIN_PENCE = 15_000_000;
const LIMITED_COST_PER_MILLE = 165;
/** From docs/reference/uk-tax.md, section 1.1. */
const ANNUAL_JOIN_PENCE = 135_000_000;

const READS = ['the boxes of VAT returns filed here, for twelve months without a gap'] as const;

export const VAT_SCHEME_RULES: readonly AgentRule[] = [
  defineRule({
    id: 'deregistration-possible',
    version: 1,
    name: 'Turnover is below the deregistration threshold',
    looksFor:
      'Box 6 of the last twelve months below £88,000, so that the client may ask HMRC to cancel its registration. Box 6 is never less than taxable turnover, because it also counts exempt and overseas sales. Proposed at most once for each calendar year.',
    reads: READS,
    proposes: 'task',
    taxes: ['vat'],
    threshold: {
      unit: 'pence',
      text: 'Turnover of twelve months below',
      normal: DEREGISTRATION_PENCE,
      min: 0,
      max: DEREGISTRATION_PENCE,
      isFloor: false,
    },
    law: { text: 'Value Added Tax Act 1994, Schedule 1, paragraph 4', url: 'https://www.legislation.gov.uk/ukpga/1994/23/schedule/1' },
    find: findPossibleDeregistration,
  }),
  defineRule({
    id: 'flat-rate-suits',
    version: 1,
    name: 'Flat rate scheme may suit',
    looksFor:
      'Turnover of up to £150,000 in twelve months, and net VAT that is a high share of turnover with VAT: a flat rate below that share would have cost less. The rate depends on the trade, which the portal doesn’t know. Proposed at most once for each calendar year.',
    reads: READS,
    proposes: 'task',
    taxes: ['vat'],
    threshold: { unit: 'percent', text: 'Net VAT as a share of turnover with VAT, from', normal: 12, min: 4, max: 17, isFloor: true },
    law: { text: 'GOV.UK: VAT Flat Rate Scheme, eligibility', url: 'https://www.gov.uk/vat-flat-rate-scheme/eligibility' },
    find: findFlatRate,
  }),
  defineRule({
    id: 'annual-accounting-suits',
    version: 1,
    name: 'Annual accounting may suit',
    looksFor:
      'Several returns a year, some of them late, turnover of up to £1,350,000 in twelve months, and nothing overdue now: one return a year may suit. Proposed at most once for each calendar year.',
    reads: [...READS, 'the days on which HMRC received the returns', 'overdue returns and amounts'],
    proposes: 'task',
    taxes: ['vat'],
    threshold: { unit: 'count', text: 'Late returns in those twelve months', normal: 2, min: 1, max: 12, isFloor: true },
    law: { text: 'GOV.UK: VAT Annual Accounting Scheme, eligibility', url: 'https://www.gov.uk/vat-annual-accounting-scheme/eligibility' },
    find: findAnnualAccounting,
  }),
];

/** The advice doesn't change within a year, so its calendar year identifies it. */
const toSubject = ({ end }: FiledYear): string => end.slice(0, 4);
const nameYear = ({ start, end }: FiledYear): string => `${formatDate(start)} to ${formatDate(end)}`;
const quarterFacts = ({ returns }: FiledYear): AgentFact[] =>
  returns.map(({ end, box6_pounds: turnover, net_pence: net }) =>
    practiceFact(`Return to ${formatDate(end)}`, `box 6 ${pounds(turnover * 100)}, net VAT ${pounds(net)}`, 'vat'),
  );

const READ_BOX_6 = 'Box 6 also counts exempt and overseas sales, so taxable turnover may be lower.';

function findPossibleDeregistration(client: ClientFacts, context: RuleContext): Finding[] {
  const year = isCurrent(client) ? findFiledYear(client, context.today) : undefined;
  if (!year || year.turnover_pence >= context.threshold) return [];
  const [turnover, months] = [pounds(year.turnover_pence), nameYear(year)];
  return [
    {
      subject: toSubject(year),
      title: `Turnover of ${turnover} in twelve months: could deregister from VAT`,
      tax: 'vat',
      facts: [
        practiceFact('Box 6 of twelve months', `${turnover}, ${months}`, 'vat'),
        practiceFact('Deregistration threshold', pounds(DEREGISTRATION_PENCE), 'vat'),
        ...quarterFacts(year),
      ],
      act: chore(client, context, {
        title: 'Ask whether deregistering from VAT would help',
        notes: `Turnover from ${months} was ${turnover} (box 6), below ${pounds(DEREGISTRATION_PENCE)}. HMRC cancels a registration on request if taxable turnover of the next twelve months will be below that. It may not help a client whose customers reclaim VAT or who has much VAT to reclaim. ${READ_BOX_6}`,
        inDays: 14,
        service: 'vat',
      }),
      due_on: null,
    },
  ];
}

function findFlatRate(client: ClientFacts, context: RuleContext): Finding[] {
  const year = isCurrent(client) ? findFiledYear(client, context.today) : undefined;
  if (!year || year.turnover_pence > FLAT_RATE_JOIN_PENCE || year.net_pence <= 0) return [];
  // Returns without purchases and reclaimed VAT suggest that the flat rate scheme is already used.
  if (year.returns.every(({ box4_pence: box4, box7_pounds: box7 }) => box4 === 0 && box7 === 0)) return [];
  const gross = year.turnover_pence + year.box1_pence;
  const perMille = gross <= 0 ? 0 : Math.floor((year.net_pence * 1000) / gross);
  if (perMille < context.threshold * 10) return [];
  const [share, net, withVat] = [`${(perMille / 10).toFixed(1)}%`, pounds(year.net_pence), pounds(gross)];
  const limited = Math.round((gross * LIMITED_COST_PER_MILLE) / 1000);
  const difference = year.net_pence - limited;
  const atLimited = `At the 16.5% of limited cost businesses it would have been ${pounds(limited)}, ${pounds(Math.abs(difference))} ${difference >= 0 ? 'less' : 'more'}.`;
  return [
    {
      subject: toSubject(year),
      title: `Flat rate scheme may suit: net VAT is ${share} of turnover with VAT`,
      tax: 'vat',
      facts: [
        practiceFact(
          'Box 6 of twelve months',
          `${pounds(year.turnover_pence)}, ${nameYear(year)}; limit to join ${pounds(FLAT_RATE_JOIN_PENCE)}`,
          'vat',
        ),
        practiceFact('With box 1', `${pounds(year.turnover_pence)} + ${pounds(year.box1_pence)} = ${withVat}`, 'vat'),
        practiceFact('Net VAT as a share of it', `${net} / ${withVat} = ${share}`, 'vat'),
        ...quarterFacts(year),
      ],
      act: chore(client, context, {
        title: 'Check whether the VAT flat rate scheme would suit',
        notes: `Net VAT from ${nameYear(year)} was ${net}, which is ${share} of ${withVat} with VAT. A flat rate below ${share} would have cost less. ${atLimited} The scheme may suit; it depends on the trade’s percentage, on capital goods, and on the next twelve months. Box 1 may hold reverse charges, and box 6 sales that aren’t taxable.`,
        inDays: 14,
        service: 'vat',
      }),
      due_on: null,
    },
  ];
}

function findAnnualAccounting(client: ClientFacts, context: RuleContext): Finding[] {
  const year = isCurrent(client) ? findFiledYear(client, context.today) : undefined;
  const vat = listRead(client).find(({ tax }) => tax === 'vat');
  if (!year || !vat || year.returns.length < 2 || year.turnover_pence > ANNUAL_JOIN_PENCE || year.net_pence <= 0) return [];
  // HMRC doesn't let clients with overdue returns or payments join.
  if (vat.overdue_returns > 0 || vat.overdue_pence > 0 || vat.is_insolvent) return [];
  const late = vat.returns.filter(
    ({ end, due_on: due, received_on: on }) => end > year.start && end <= year.end && due !== null && on !== null && on > due,
  );
  if (late.length < context.threshold) return [];
  const [turnover, count] = [pounds(year.turnover_pence), `${late.length} of ${year.returns.length}`];
  return [
    {
      subject: toSubject(year),
      title: `Annual accounting may suit: ${count} VAT returns were late`,
      tax: 'vat',
      facts: [
        practiceFact('Box 6 of twelve months', `${turnover}, ${nameYear(year)}; limit to join ${pounds(ANNUAL_JOIN_PENCE)}`, 'vat'),
        taxFact(vat, 'Late VAT returns', count),
        practiceFact('Net VAT of twelve months', pounds(year.net_pence), 'vat'),
        ...quarterFacts(year),
      ],
      act: chore(client, context, {
        title: 'Check whether VAT annual accounting would suit',
        notes: `From ${nameYear(year)}, ${count} VAT returns were late. Turnover was ${turnover}, and net VAT ${pounds(year.net_pence)}. With annual accounting the client files one return a year and pays in instalments. It may not suit a client who often reclaims VAT or whose turnover falls. ${READ_BOX_6}`,
        inDays: 14,
        service: 'vat',
      }),
      due_on: null,
    },
  ];
}
