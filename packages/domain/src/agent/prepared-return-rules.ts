/**
 * Rules about VAT returns that the practice prepared here: approvals, filing, and figures that look wrong. The rules never file a return.
 */
import { addDays, countDaysBetween, formatDate, formatPeriod, type PlainDate } from '../plain-date.ts';
import type { ClientFacts, PreparedReturn } from './agent-facts.ts';
import { defineRule, type AgentFact, type AgentRule, type Finding, type RuleContext } from './agent-rule.ts';
import { listKnownReturns, type KnownReturn } from './known-returns.ts';
import { listUnfiledReturns } from './prepared-returns.ts';
import {
  createPoundsThreshold,
  createTaskAction,
  findOwner,
  findPointsNearPenalty,
  formatAmount,
  getMedian,
  isCurrent,
  listReadFigures,
  toPracticeFact,
  toTaxFact,
  writeMessage,
} from './rule-text.ts';

export const PREPARED_RETURN_RULES: readonly AgentRule[] = [
  defineRule({
    id: 'approval-unanswered',
    version: 1,
    name: 'Approval outstanding',
    looksFor:
      'A VAT return that the client has neither approved nor asked about, some days after its figures were sent, or from three days before it’s due. The portal sends one automatic reminder after three days.',
    reads: ['VAT returns prepared here', 'due dates', 'the client’s users', 'the client’s email address', 'penalty points'],
    proposes: 'message',
    taxes: ['vat'],
    threshold: { unit: 'days', text: 'Days without a response', normal: 5, min: 1, max: 30, isFloor: true },
    find: findUnansweredApprovals,
  }),
  defineRule({
    id: 'approved-unfiled',
    version: 1,
    name: 'Approved, but not filed',
    looksFor: 'A VAT return that the client has approved and that is due soon or overdue. The assistant never files it for you.',
    reads: ['VAT returns prepared here', 'due dates'],
    proposes: 'task',
    taxes: ['vat'],
    threshold: { unit: 'days', text: 'Days before the due date', normal: 7, min: 1, max: 60, isFloor: false },
    find: findUnfiledApproved,
  }),
  defineRule({
    id: 'unusual-box',
    version: 3,
    name: 'Unusual box in an unfiled return',
    looksFor:
      'Box 1, 4, 6 or 7 of an unfiled return that is far from the median of up to eight previous returns of a similar length, or that is usually nil. Those returns were read from HMRC or filed here. Differences below £500 don’t count.',
    reads: ['the boxes of VAT returns prepared here', 'the boxes of earlier VAT returns read from HMRC'],
    proposes: 'task',
    taxes: ['vat'],
    threshold: { unit: 'percent', text: 'Minimum difference', normal: 100, min: 20, max: 1000, isFloor: true },
    find: findUnusualBoxes,
  }),
  defineRule({
    id: 'return-differs',
    version: 1,
    name: 'Return and HMRC’s charge don’t match',
    looksFor: 'A VAT return filed here for which HMRC charges or repays a different amount.',
    reads: ['box 5 of VAT returns filed here', 'HMRC’s charges'],
    proposes: 'task',
    taxes: ['vat'],
    threshold: createPoundsThreshold('Minimum difference', 100),
    find: findDifferentCharges,
  }),
];

const formatReturnPeriod = ({ start, end }: Pick<PreparedReturn, 'start' | 'end'>): string => formatPeriod(start, end);
const toDueDateFact = (item: PreparedReturn): AgentFact =>
  toPracticeFact('VAT return', `for ${formatReturnPeriod(item)}, due on ${formatDate(item.due_on)}`, 'vat');

/** Within this many days of the due date, clients are chased for approval even if it was requested recently. */
const URGENT_DAYS = 3;

function findUnansweredApprovals(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  if (!isCurrent(client) || !client.has_email || client.people.length === 0) return [];
  const penaltyPoints = findPointsNearPenalty(client);
  return listUnfiledReturns(client).flatMap((item): Finding[] => {
    const days = countDaysBetween(item.sent_on, today);
    // Clients aren't chased on the day of the request.
    if (item.state !== 'sent' || days < 1 || (days < threshold && countDaysBetween(today, item.due_on) > URGENT_DAYS)) return [];
    const [period, dueText, sentDate] = [formatReturnPeriod(item), formatDate(item.due_on), formatDate(item.sent_on)];
    const isLate = item.due_on < today;
    const dueSentence = isLate
      ? ` It was due on ${dueText}, so please respond today.`
      : ` It is due on ${dueText}.${penaltyPoints ? ` ${penaltyPoints.warning}` : ''}`;
    return [
      {
        subject: item.approval_id,
        title: `VAT return for ${period}: no approval for ${days} ${days === 1 ? 'day' : 'days'}`,
        tax: 'vat',
        facts: [
          toPracticeFact('Figures sent', `on ${sentDate}, unanswered`, 'vat'),
          toDueDateFact(item),
          toPracticeFact('Can approve', client.people.join(', ')),
          ...(penaltyPoints && !isLate
            ? [toTaxFact(penaltyPoints.vat, 'Penalty points', `${penaltyPoints.points} of ${penaltyPoints.limit}`)]
            : []),
        ],
        act: writeMessage('your VAT return is waiting for your approval', [
          `We sent you the figures of {client}’s VAT return for ${period} on ${sentDate}, and can file it only once you approve them.${dueSentence}`,
          `Please log in, check the figures, and approve them or ask us a question:\n${item.url}`,
        ]),
        due_on: item.due_on,
      },
    ];
  });
}

function findUnfiledApproved(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  if (!isCurrent(client)) return [];
  return listUnfiledReturns(client).flatMap((item): Finding[] => {
    if (item.state !== 'approved' || item.approved_on === null || item.due_on > addDays(today, threshold)) return [];
    const [period, dueText, approvedText] = [formatReturnPeriod(item), formatDate(item.due_on), formatDate(item.approved_on)];
    return [
      {
        subject: item.approval_id,
        title: `VAT return for ${period} approved but not filed`,
        tax: 'vat',
        facts: [toPracticeFact('Approved', `on ${approvedText}`, 'vat'), toDueDateFact(item)],
        act: {
          kind: 'task',
          title: `File the approved VAT return for ${period}`,
          notes: `The client approved the figures on ${approvedText}. The return is due on ${dueText}.`,
          service: 'vat',
          due_on: getLaterDate(today, addDays(item.due_on, -1)),
          owner_id: findOwner(client),
        },
        due_on: item.due_on,
      },
    ];
  });
}

const getLaterDate = (a: PlainDate, b: PlainDate): PlainDate => (a > b ? a : b);

/** Fewer returns than this don't show what is usual for a client. */
const MIN_RETURNS = 4;
const MAX_RETURNS = 8;
const MIN_DIFFERENCE_PENCE = 50_000;
/** Two periods of a quarter, or of a month, differ in length by at most three days. */
const MAX_LENGTH_DIFFERENCE_DAYS = 3;

type Period = Pick<PreparedReturn, 'start' | 'end'>;
const hasSimilarLength = (one: Period, other: Period): boolean =>
  Math.abs(countDaysBetween(one.start, one.end) - countDaysBetween(other.start, other.end)) <= MAX_LENGTH_DIFFERENCE_DAYS;

const BOXES = [
  ['Box 1', 'VAT on sales', (vatReturn) => vatReturn.box1_pence],
  ['Box 4', 'VAT on purchases', (vatReturn) => vatReturn.box4_pence],
  ['Box 6', 'sales without VAT', (vatReturn) => vatReturn.box6_pounds * 100],
  ['Box 7', 'purchases without VAT', (vatReturn) => vatReturn.box7_pounds * 100],
] as const satisfies readonly (readonly [name: string, meaning: string, get: (vatReturn: KnownReturn | PreparedReturn) => number])[];

function findUnusualBoxes(client: ClientFacts, context: RuleContext): Finding[] {
  if (!isCurrent(client)) return [];
  const knownReturns = listKnownReturns(client);
  return listUnfiledReturns(client).flatMap((item): Finding[] => {
    const earlierReturns = knownReturns.filter((one) => one.end < item.start && hasSimilarLength(one, item)).slice(-MAX_RETURNS);
    if (earlierReturns.length < MIN_RETURNS) return [];
    const unusualBoxes = BOXES.flatMap(([name, meaning, get]) => {
      const [amount, middleValue = 0] = [get(item), getMedian(earlierReturns.map(get))];
      const difference = Math.abs(amount - middleValue);
      if (difference < MIN_DIFFERENCE_PENCE) return [];
      if (earlierReturns.every((one) => get(one) === 0)) return [{ name, meaning, get, amount, middle: middleValue, usual: 'usually nil' }];
      if (middleValue === 0) return [];
      const percent = Math.round((difference / Math.abs(middleValue)) * 100);
      if (percent < context.threshold) return [];
      return [{ name, meaning, get, amount, middle: middleValue, usual: `${percent}% away from the usual ${formatAmount(middleValue)}` }];
    });
    const [first] = unusualBoxes;
    if (!first) return [];
    const names = new Intl.ListFormat('en-GB').format(unusualBoxes.map(({ name }) => name.toLowerCase()));
    const period = formatReturnPeriod(item);
    const sentences = unusualBoxes.map(({ name, meaning, amount, usual }) => `${name} (${meaning}) is ${formatAmount(amount)}, ${usual}.`);
    const task = {
      title: `Check ${names} in the VAT return for ${period}`,
      notes: sentences.join('\n'),
      inDays: 2,
      service: 'vat',
    } as const;
    return [
      {
        subject: item.approval_id,
        title: `VAT return for ${period}: ${names} ${unusualBoxes.length === 1 ? 'is' : 'are'} unusual`,
        tax: 'vat',
        facts: [
          toDueDateFact(item),
          ...unusualBoxes.flatMap(({ name, get, amount, middle }) => [
            toPracticeFact(
              `${name} now`,
              `${formatAmount(amount)}; median of the previous ${earlierReturns.length}: ${formatAmount(middle)}`,
              'vat',
            ),
            ...earlierReturns.toReversed().map((vatReturn): AgentFact => {
              const { source, as_of: asOf } = vatReturn;
              return {
                label: `${name} for ${formatReturnPeriod(vatReturn)}`,
                text: formatAmount(get(vatReturn)),
                page: 'vat',
                source,
                as_of: asOf,
              };
            }),
          ]),
        ],
        act: createTaskAction(client, context, task),
        due_on: item.due_on,
      },
    ];
  });
}

function findDifferentCharges(client: ClientFacts, context: RuleContext): Finding[] {
  if (!isCurrent(client)) return [];
  const vat = listReadFigures(client).find(({ tax }) => tax === 'vat');
  return (vat?.returns ?? []).flatMap(({ end, charged_pence: chargedAmount }): Finding[] => {
    const filedReturn = client.prepared.find((item) => item.end === end && item.filed_on !== null);
    if (!vat || !filedReturn || chargedAmount === null || vat.as_of === null || vat.as_of <= (filedReturn.filed_on ?? end)) return [];
    const difference = Math.abs(chargedAmount - filedReturn.net_pence);
    if (difference === 0 || difference < context.threshold) return [];
    const [period, netAmount, hmrcAmount] = [
      formatReturnPeriod(filedReturn),
      formatAmount(filedReturn.net_pence),
      formatAmount(chargedAmount),
    ];
    return [
      {
        subject: `${end} ${chargedAmount}`,
        title: `VAT for ${period}: filed ${netAmount}, at HMRC ${hmrcAmount}`,
        tax: 'vat',
        facts: [toPracticeFact('Filed here (box 5)', netAmount, 'vat'), toTaxFact(vat, 'HMRC’s charges for the period', hmrcAmount)],
        act: createTaskAction(client, context, {
          title: `Find out why HMRC’s VAT for ${period} differs by ${formatAmount(difference)}`,
          notes: `Filed on ${formatDate(filedReturn.filed_on ?? end)}: ${netAmount}. HMRC’s charges: ${hmrcAmount}. Negative amounts are repayments. HMRC may have assessed or corrected the period.`,
          inDays: 5,
          service: 'vat',
        }),
        due_on: null,
      },
    ];
  });
}
