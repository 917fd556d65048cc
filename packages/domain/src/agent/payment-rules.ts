/** Rules about payments: due soon, late, and the cost of lateness. */
import { addDays, countDaysBetween, formatDate } from '../plain-date.ts';
import type { ClientFacts } from './agent-facts.ts';
import { defineRule, type AgentRule, type Finding, type RuleContext } from './agent-rule.ts';
import {
  createPoundsThreshold,
  formatAmount,
  formatForPeriod,
  formatItemName,
  getItemId,
  isCurrent,
  listDueItems,
  listLateFigures,
  TAX_LABELS,
  toItemFact,
  toTaxFact,
  writeMessage,
} from './rule-text.ts';

const ALL_TAXES = ['vat', 'paye', 'ct', 'sa'] as const;

const INTEREST_LAW = {
  text: 'Late payment interest: Finance Act 2009, section 101',
  url: 'https://www.legislation.gov.uk/ukpga/2009/10/section/101',
};

/** The first penalty is based on the amount still unpaid at the end of day 15 after the due date (docs/reference/uk-tax.md section 1.7). */
const PENALTY_FREE_DAYS = 15;

export const PAYMENT_RULES: readonly AgentRule[] = [
  defineRule({
    id: 'payment-reminder',
    version: 1,
    name: 'Payment due soon',
    looksFor: 'A known amount that the client has to pay soon.',
    reads: ['due dates with amounts', 'the client’s email address'],
    proposes: 'message',
    taxes: ALL_TAXES,
    threshold: { unit: 'days', text: 'Days before the due date', normal: 7, min: 1, max: 60, isFloor: false },
    find: findPaymentsDue,
  }),
  defineRule({
    id: 'payment-late',
    version: 1,
    name: 'Payment overdue',
    looksFor: 'An amount overdue at HMRC, at or above the threshold. It is accruing interest.',
    reads: ['overdue amounts', 'the client’s email address'],
    proposes: 'message',
    taxes: ALL_TAXES,
    threshold: createPoundsThreshold('Minimum overdue amount', 10_000),
    law: INTEREST_LAW,
    find: findLatePayments,
  }),
  defineRule({
    id: 'payment-penalty-near',
    version: 1,
    name: 'First late payment penalty approaching',
    looksFor: 'Overdue VAT shortly before the first late payment penalty, which is charged on the amount unpaid at the end of day 15.',
    reads: ['overdue amounts', 'the client’s email address'],
    proposes: 'message',
    taxes: ['vat'],
    threshold: { unit: 'days', text: 'Days before day 15', normal: 7, min: 1, max: 14, isFloor: false },
    law: { text: 'Late payment penalties: Finance Act 2021, Schedule 26', url: 'https://www.legislation.gov.uk/ukpga/2021/26/schedule/26' },
    replaces: ['payment-late'],
    find: findNearPenalty,
  }),
  defineRule({
    id: 'interest-running',
    version: 1,
    name: 'Interest accruing',
    looksFor: 'Late payment interest to date, at or above the threshold. The note is for the next person who speaks to the client.',
    reads: ['overdue amounts', 'interest we’ve calculated'],
    proposes: 'note',
    taxes: ALL_TAXES,
    threshold: createPoundsThreshold('Minimum interest', 1000),
    law: INTEREST_LAW,
    find: findInterest,
  }),
];

function findPaymentsDue(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  if (!isCurrent(client) || !client.has_email) return [];
  const dueItems = listDueItems(
    client,
    today,
    threshold,
    ({ what, amount_pence: amount }) => what === 'payment' && amount !== null && amount > 0,
  );
  return dueItems.map((item) => {
    const [amount, day, name] = [formatAmount(item.amount_pence ?? 0), formatDate(item.due_on), formatItemName(item)];
    return {
      subject: getItemId(item),
      title: `${amount} to pay by ${day}`,
      tax: item.tax,
      facts: [toItemFact(client, item)],
      act: writeMessage(`${amount} due on ${day}`, [
        `{client} has ${amount} to pay to HMRC by ${day} (${name}${formatForPeriod(item)}).`,
        'Please make sure that HMRC receives the payment by then. If you’d like us to check the amount with you first, reply to this email.',
      ]),
      due_on: item.due_on,
    };
  });
}

function findLatePayments(client: ClientFacts, { threshold }: RuleContext): Finding[] {
  if (!client.has_email) return [];
  return listLateFigures(client)
    .filter(({ overdue_pence: overdueAmount }) => overdueAmount >= threshold)
    .map((tax) => {
      const [amount, name, since] = [formatAmount(tax.overdue_pence), TAX_LABELS[tax.tax], formatDate(tax.overdue_since)];
      return {
        subject: `${tax.tax} ${tax.overdue_since}`,
        title: `${amount} of ${name} overdue since ${since}`,
        tax: tax.tax,
        facts: [toTaxFact(tax, `Overdue ${name}`, `${amount} since ${since}`)],
        act: writeMessage(`${amount} of ${name} is overdue`, [
          `According to our figures, {client} has had ${amount} of ${name} overdue since ${since}. HMRC charges interest daily.`,
          'Please pay it as soon as you can. If you can’t pay it straight away, reply to this email and we’ll discuss asking HMRC for more time.',
        ]),
        due_on: tax.overdue_since,
      };
    });
}

function findNearPenalty(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  if (!client.has_email) return [];
  const taxesNearPenalty = listLateFigures(client).filter(({ tax, overdue_since: since }) => {
    const remaining = PENALTY_FREE_DAYS - countDaysBetween(since, today);
    return tax === 'vat' && remaining >= 0 && remaining <= threshold;
  });
  return taxesNearPenalty.map((tax) => {
    const [amount, since, last] = [
      formatAmount(tax.overdue_pence),
      formatDate(tax.overdue_since),
      addDays(tax.overdue_since, PENALTY_FREE_DAYS),
    ];
    return {
      subject: `vat ${tax.overdue_since}`,
      title: `First penalty on ${amount} of VAT unless paid by ${formatDate(last)}`,
      tax: 'vat',
      facts: [
        toTaxFact(tax, 'Overdue VAT', `${amount} since ${since}`),
        toTaxFact(undefined, 'Last day to pay without a penalty', formatDate(last)),
      ],
      act: writeMessage(`pay ${amount} of VAT by ${formatDate(last)}`, [
        `{client} has had ${amount} of VAT overdue since ${since}. If it is paid in full by ${formatDate(last)}, HMRC won’t charge a late payment penalty, but interest still applies.`,
        'If you can’t pay it by then, reply to this email. A payment plan agreed with HMRC can also prevent the penalty.',
      ]),
      due_on: last,
    };
  });
}

function findInterest(client: ClientFacts, { threshold }: RuleContext): Finding[] {
  return listLateFigures(client)
    .filter(({ interest_pence: interest }) => interest > 0 && interest >= threshold)
    .map((tax) => {
      const [interest, name, since] = [formatAmount(tax.interest_pence), TAX_LABELS[tax.tax], formatDate(tax.overdue_since)];
      const [aboutPrefix, estimateSuffix] = tax.is_estimate ? ['About ', ', an estimate'] : ['', ''];
      return {
        subject: `${tax.tax} ${tax.overdue_since}`,
        title: `${aboutPrefix}${interest} of interest on late ${name}`,
        tax: tax.tax,
        facts: [
          toTaxFact(undefined, 'Interest to date', `${interest}${estimateSuffix}`),
          toTaxFact(tax, `Overdue ${name}`, `${formatAmount(tax.overdue_pence)} since ${since}`),
        ],
        act: {
          kind: 'note',
          text: `${aboutPrefix}${interest} of interest had accrued on ${formatAmount(tax.overdue_pence)} of ${name}, overdue since ${since}.`,
        },
        due_on: tax.overdue_since,
      };
    });
}
