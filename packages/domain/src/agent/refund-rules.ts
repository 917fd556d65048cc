/** Rules about refunds and conflicting figures. */
import { addDays, countDaysBetween, formatDate, formatPeriod } from '../plain-date.ts';
import type { ClientFacts, PreparedReturn } from './agent-facts.ts';
import { defineRule, type AgentFact, type AgentRule, type Finding, type RuleContext } from './agent-rule.ts';
import { listUnfiledReturns } from './prepared-returns.ts';
import {
  createPoundsThreshold,
  findOwner,
  formatAmount,
  getItemId,
  getMedian,
  getService,
  isCurrent,
  listLateFigures,
  listReadFigures,
  TAX_LABELS,
  toItemFact,
  toPracticeFact,
  toTaxFact,
  writeMessage,
} from './rule-text.ts';

const ALL_TAXES = ['vat', 'paye', 'ct', 'sa'] as const;

export const REFUND_RULES: readonly AgentRule[] = [
  defineRule({
    id: 'refund-expected',
    version: 3,
    name: 'VAT refund expected',
    looksFor:
      'A VAT refund that HMRC still has to pay to a company or LLP. If its return was approved or filed here, you can propose an early refund to the client through InstantVAT; otherwise it’s only watched. A refund is proposed only once.',
    reads: ['expected refunds', 'VAT returns prepared here', 'early refunds already proposed', 'the client’s users'],
    proposes: 'propose_advance',
    taxes: ['vat'],
    threshold: createPoundsThreshold('Minimum refund', 100_000),
    find: findExpectedRefunds,
  }),
  defineRule({
    id: 'refund-late',
    version: 1,
    name: 'Refund overdue from HMRC',
    looksFor: 'A refund that HMRC hasn’t paid 30 days after it was claimed.',
    reads: ['expected refunds'],
    proposes: 'task',
    taxes: ALL_TAXES,
    threshold: { unit: 'days', text: 'Days after the expected date', normal: 5, min: 0, max: 90, isFloor: true },
    find: findLateRefunds,
  }),
  defineRule({
    id: 'refund-held',
    version: 1,
    name: 'Refund withheld because of overdue returns',
    looksFor: 'A refund that HMRC is withholding until overdue returns are filed.',
    reads: ['refunds', 'overdue returns', 'the client’s email address'],
    proposes: 'message',
    taxes: ['vat'],
    find: findHeldRefunds,
  }),
  defineRule({
    id: 'credit-and-debt',
    version: 1,
    name: 'Credit and debt for the same tax',
    looksFor: 'A refund and an overdue amount for the same tax: a payment may have been allocated to the wrong period.',
    reads: ['refunds', 'overdue amounts'],
    proposes: 'task',
    taxes: ALL_TAXES,
    threshold: createPoundsThreshold('Minimum for both amounts', 1000),
    find: findCreditAndDebt,
  }),
  defineRule({
    id: 'books-differ',
    version: 1,
    name: 'Books and HMRC don’t match',
    looksFor: 'A tax balance in the client’s own books that differs from HMRC’s figure.',
    reads: ['the balance you entered', 'HMRC’s figure'],
    proposes: 'task',
    taxes: ALL_TAXES,
    threshold: createPoundsThreshold('Minimum difference', 100),
    find: findDifferentBooks,
  }),
  defineRule({
    id: 'unusual-vat',
    version: 3,
    name: 'Unusual VAT amount',
    looksFor: 'Net VAT on the last return that differs greatly from the median of the previous eight.',
    reads: ['amounts of the last nine VAT returns'],
    proposes: 'watch',
    taxes: ['vat'],
    threshold: { unit: 'percent', text: 'Minimum difference', normal: 100, min: 20, max: 1000, isFloor: true },
    find: findUnusualVat,
  }),
];

function findExpectedRefunds(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  // We buy refunds only from these kinds of client.
  if (!isCurrent(client) || (client.kind !== 'company' && client.kind !== 'llp')) return [];
  const isLarge = (amount: number): boolean => amount < 0 && -amount >= threshold;
  const expectedRefunds = client.items.filter(({ tax, what, due_on: due, amount_pence: amount }) => {
    return tax === 'vat' && what === 'refund' && due >= today && amount !== null && isLarge(amount);
  });
  const approvedRefunds = client.prepared.filter(({ state, net_pence: net }) => state === 'approved' && net < 0);
  const wasProposed = ({ start, end }: PreparedReturn) =>
    client.proposed_refunds.some((refund) => refund.start === start && refund.end === end);
  const itemFindings = expectedRefunds.flatMap((item): Finding[] => {
    const title = `${formatAmount(-(item.amount_pence ?? 0))} VAT refund due by ${formatDate(item.due_on)}`;
    const proposalFields = { subject: getItemId(item), title, tax: 'vat', due_on: item.due_on } as const;
    const agreedReturn = approvedRefunds.find(({ end }) => end === item.period_end);
    if (!agreedReturn) return [{ ...proposalFields, facts: [toItemFact(client, item)], act: { kind: 'watch' } }];
    return wasProposed(agreedReturn)
      ? []
      : [
          {
            ...proposalFields,
            facts: [toItemFact(client, item), ...listEarlyRefundFacts(client, agreedReturn)],
            act: createEarlyRefundAction(agreedReturn),
          },
        ];
  });
  // HMRC doesn't expect to repay a return that hasn't been filed.
  const unfiledRefunds = listUnfiledReturns(client).filter(
    (item) => approvedRefunds.includes(item) && isLarge(item.net_pence) && !wasProposed(item),
  );
  const returnFindings = unfiledRefunds
    .filter(({ end }) => !expectedRefunds.some(({ period_end: itemPeriodEnd }) => itemPeriodEnd === end))
    .map((item): Finding => {
      const title = `The approved VAT return for ${formatPeriod(item.start, item.end)} claims a refund of ${formatAmount(-item.net_pence)}`;
      return {
        subject: `vat refund ${item.end}`,
        title,
        tax: 'vat',
        facts: listEarlyRefundFacts(client, item),
        act: createEarlyRefundAction(item),
        due_on: item.due_on,
      };
    });
  return [...itemFindings, ...returnFindings];
}

function listEarlyRefundFacts({ people }: ClientFacts, item: PreparedReturn): [AgentFact, AgentFact] {
  const doneText =
    item.filed_on === null ? `approved on ${formatDate(item.approved_on ?? item.sent_on)}` : `filed on ${formatDate(item.filed_on)}`;
  return [
    toPracticeFact(`VAT return for ${formatPeriod(item.start, item.end)}`, doneText, 'vat'),
    toPracticeFact('Would be sent to', people.length === 0 ? 'no one yet: invite someone to the client portal' : people.join(', ')),
  ];
}

const createEarlyRefundAction = ({ obligation_id, start, end }: PreparedReturn): Finding['act'] => ({
  kind: 'propose_advance',
  obligation_id,
  note: `If it helps, you can have your VAT refund for ${formatPeriod(start, end)} sooner. There’s a fee, and it’s up to you.`,
});

function findLateRefunds(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  if (!isCurrent(client)) return [];
  const lateRefunds = client.items.filter(({ what, due_on: due, amount_pence: amount }) => {
    return what === 'refund' && due < today && countDaysBetween(due, today) >= threshold && amount !== null && amount < 0;
  });
  return lateRefunds.map((item) => {
    const [amount, name, day] = [formatAmount(-(item.amount_pence ?? 0)), TAX_LABELS[item.tax], formatDate(item.due_on)];
    return {
      subject: getItemId(item),
      title: `${amount} of ${name} not yet received from HMRC`,
      tax: item.tax,
      facts: [toItemFact(client, item)],
      act: {
        kind: 'task',
        title: `Ask HMRC about the ${name} refund of ${amount}`,
        notes: `It was expected by ${day}, 30 days after the claim.`,
        service: getService(item.tax),
        due_on: addDays(today, 5),
        owner_id: findOwner(client),
      },
      due_on: item.due_on,
    };
  });
}

function findHeldRefunds(client: ClientFacts): Finding[] {
  if (!isCurrent(client) || !client.has_email) return [];
  const heldRefund = listReadFigures(client).find(
    ({ tax, is_refund_held: isHeld, refund_pence: refund }) => tax === 'vat' && isHeld && refund > 0,
  );
  if (!heldRefund || heldRefund.overdue_returns === 0) return [];
  const isOne = heldRefund.overdue_returns === 1;
  const [amount, count] = [
    formatAmount(heldRefund.refund_pence),
    `${heldRefund.overdue_returns} overdue VAT ${isOne ? 'return' : 'returns'}`,
  ];
  return [
    {
      subject: `${heldRefund.refund_pence} ${heldRefund.overdue_returns}`,
      title: `HMRC is withholding ${amount} until ${count} ${isOne ? 'is' : 'are'} filed`,
      tax: 'vat',
      facts: [
        toTaxFact(heldRefund, 'VAT refund', amount),
        toTaxFact(heldRefund, 'Overdue VAT returns', String(heldRefund.overdue_returns)),
      ],
      act: writeMessage('HMRC is withholding a VAT refund until late returns are filed', [
        `HMRC owes {client} ${amount} of VAT, but won’t pay it until ${count} ${isOne ? 'has' : 'have'} been filed.`,
        'Please send us the missing records, so that we can file and HMRC can release the refund.',
      ]),
      due_on: null,
    },
  ];
}

function findCreditAndDebt(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  return listLateFigures(client)
    .filter(({ refund_pence: refund, overdue_pence: overdueAmount }) => refund > 0 && Math.min(refund, overdueAmount) >= threshold)
    .map((tax) => {
      const [credit, debt, name, since] = [
        formatAmount(tax.refund_pence),
        formatAmount(tax.overdue_pence),
        TAX_LABELS[tax.tax],
        tax.overdue_since,
      ];
      return {
        subject: `${tax.tax} ${since}`,
        title: `${name}: ${credit} refund due, but ${debt} overdue`,
        tax: tax.tax,
        facts: [toTaxFact(tax, 'Refund due from HMRC', credit), toTaxFact(tax, 'Overdue', `${debt} since ${formatDate(since)}`)],
        act: {
          kind: 'task',
          title: `Ask HMRC to set the ${name} credit against the debt`,
          notes: `A refund of ${credit} is due, and ${debt} has been overdue since ${formatDate(since)}. A payment may have been allocated to the wrong period.`,
          service: getService(tax.tax),
          due_on: addDays(today, 5),
          owner_id: findOwner(client),
        },
        due_on: since,
      };
    });
}

function findDifferentBooks(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  if (!isCurrent(client)) return [];
  const readFigures = listReadFigures(client);
  return client.books.flatMap(({ tax, balance_pence: balance, on_date: on }) => {
    const figures = readFigures.find((item) => item.tax === tax);
    if (!figures) return [];
    const atHmrc = figures.owed_pence - figures.refund_pence;
    const difference = Math.abs(balance - atHmrc);
    if (difference === 0 || difference < threshold) return [];
    const [name, booksText, atHmrcText] = [TAX_LABELS[tax], formatAmount(balance), formatAmount(atHmrc)];
    return [
      {
        subject: `${tax} ${on}`,
        title: `${name}: books and HMRC differ by ${formatAmount(difference)}`,
        tax,
        facts: [toPracticeFact(`In the books on ${formatDate(on)}`, booksText), toTaxFact(figures, 'At HMRC', atHmrcText)],
        act: {
          kind: 'task',
          title: `Find out why ${name} in the books differs by ${formatAmount(difference)}`,
          notes: `Books on ${formatDate(on)}: ${booksText}. HMRC: ${atHmrcText}. Positive amounts are owed to HMRC.`,
          service: getService(tax),
          due_on: addDays(today, 7),
          owner_id: findOwner(client),
        },
        due_on: null,
      },
    ] satisfies Finding[];
  });
}

/** Fewer returns than this don't show what is usual for a client. */
const MIN_RETURNS = 4;

function findUnusualVat(client: ClientFacts, { threshold }: RuleContext): Finding[] {
  if (!isCurrent(client)) return [];
  const vat = listReadFigures(client).find(({ tax }) => tax === 'vat');
  const knownRefunds = (vat?.returns ?? [])
    .flatMap(({ end, charged_pence: amount }) => (amount === null ? [] : [{ end, amount }]))
    .slice(-9);
  const last = knownRefunds.at(-1);
  const earlierRefunds = knownRefunds.slice(0, -1);
  const medianAmount = getMedian(earlierRefunds.map(({ amount }) => amount));
  if (!last || medianAmount === undefined || earlierRefunds.length < MIN_RETURNS || medianAmount === 0) return [];
  const percent = Math.round((Math.abs(last.amount - medianAmount) / Math.abs(medianAmount)) * 100);
  if (percent < threshold) return [];
  return [
    {
      subject: last.end,
      title: `VAT of ${formatAmount(last.amount)} is ${percent}% away from the usual ${formatAmount(medianAmount)}`,
      tax: 'vat',
      facts: [
        toTaxFact(vat, `VAT for the period to ${formatDate(last.end)}`, formatAmount(last.amount)),
        toTaxFact(vat, `Median of the previous ${earlierRefunds.length}`, formatAmount(medianAmount)),
        ...earlierRefunds.toReversed().map(({ end, amount }) => toTaxFact(vat, `Period to ${formatDate(end)}`, formatAmount(amount))),
      ],
      act: { kind: 'watch' },
      due_on: null,
    },
  ];
}
