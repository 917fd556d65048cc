/** Rules about returns: due soon, late, and clients who usually file late. */
import { addDays, countDaysBetween, formatDate } from '../plain-date.ts';
import type { AgentItem, ClientFacts } from './agent-facts.ts';
import { defineRule, type AgentRule, type Finding, type RuleContext } from './agent-rule.ts';
import { isPrepared } from './prepared-returns.ts';
import {
  findPointsNearPenalty,
  formatForPeriod,
  formatItemName,
  getItemId,
  isCurrent,
  listDueItems,
  listReadFigures,
  toItemFact,
  toPracticeFact,
  toTaxFact,
  writeMessage,
} from './rule-text.ts';

const ALL_TAXES = ['vat', 'paye', 'ct', 'sa'] as const;

const DAYS_BEFORE = { unit: 'days', text: 'Days before the due date', normal: 14, min: 1, max: 60, isFloor: false } as const;

/** Returns true if a period has ended, so that the client can send its records. */
const hasEnded = ({ period_end: end }: AgentItem, { today }: RuleContext): boolean => end === null || end <= today;

function createReminders(client: ClientFacts, { today, threshold }: RuleContext, items: readonly AgentItem[]): Finding[] {
  if (!isCurrent(client) || !client.has_email) return [];
  return items
    .filter((item) => !isPrepared(client, item))
    .map((item) => {
      const name = formatItemName(item);
      const days = countDaysBetween(today, item.due_on);
      return {
        subject: getItemId(item),
        title: `${name} due in ${days} ${days === 1 ? 'day' : 'days'}`.replace('due in 0 days', 'due today'),
        tax: item.tax,
        facts: [toItemFact(client, item), toPracticeFact('Rule', `sends a reminder ${threshold} days before`)],
        act: writeMessage(`${name} due on ${formatDate(item.due_on)}`, [
          `This is a reminder for {client}: the ${name}${formatForPeriod(item)} is due on ${formatDate(item.due_on)}.`,
          'If you haven’t sent us your records yet, please do so this week.',
        ]),
        due_on: item.due_on,
      };
    });
}

function createLateReminders(client: ClientFacts, { today }: RuleContext, kinds: readonly AgentItem['kind'][]): Finding[] {
  if (!isCurrent(client) || !client.has_email) return [];
  const lateReturns = client.items.filter((item) => item.what === 'return' && item.due_on < today && kinds.includes(item.kind));
  // A calculated date doesn't show whether the return was filed.
  return lateReturns
    .filter((item) => item.source !== 'rule' && !isPrepared(client, item))
    .map((item) => ({
      subject: getItemId(item),
      title: `${formatItemName(item)} is overdue`,
      tax: item.tax,
      facts: [toItemFact(client, item)],
      act: writeMessage(`${formatItemName(item)} was due on ${formatDate(item.due_on)}`, [
        `The ${formatItemName(item)} for {client}${formatForPeriod(item)} was due on ${formatDate(item.due_on)}, and HMRC hasn’t received it.`,
        'Please send us whatever is still missing today, so that we can file it.',
      ]),
      due_on: item.due_on,
    }));
}

const MAX_RETURNS_CONSIDERED = 8;

export const DEADLINE_RULES: readonly AgentRule[] = [
  defineRule({
    id: 'return-reminder',
    version: 2,
    name: 'Return due soon',
    looksFor: 'A return due soon for a period that has ended, unless its figures have already been sent to the client.',
    reads: ['due dates', 'VAT returns prepared here', 'the client’s email address'],
    proposes: 'message',
    taxes: ALL_TAXES,
    threshold: DAYS_BEFORE,
    find: (client, context) =>
      createReminders(
        client,
        context,
        listDueItems(
          client,
          context.today,
          context.threshold,
          (item) => item.what === 'return' && item.kind !== 'quarterly_update' && hasEnded(item, context),
        ),
      ),
  }),
  defineRule({
    id: 'update-reminder',
    version: 1,
    name: 'Quarterly update due soon',
    looksFor: 'A Making Tax Digital for Income Tax quarterly update that is due soon.',
    reads: ['due dates', 'the client’s email address'],
    proposes: 'message',
    taxes: ['sa'],
    threshold: DAYS_BEFORE,
    law: {
      text: 'Quarterly updates: The Income Tax (Digital Requirements) Regulations 2021',
      url: 'https://www.legislation.gov.uk/uksi/2021/1076/contents',
    },
    find: (client, context) =>
      createReminders(
        client,
        context,
        listDueItems(client, context.today, context.threshold, (item) => item.kind === 'quarterly_update' && hasEnded(item, context)),
      ),
  }),
  defineRule({
    id: 'return-late',
    version: 2,
    name: 'Return overdue',
    looksFor: 'A return that HMRC shows as overdue, unless its figures have already been sent to the client.',
    reads: ['due dates from HMRC', 'VAT returns prepared here', 'the client’s email address'],
    proposes: 'message',
    taxes: ALL_TAXES,
    find: (client, context) => createLateReminders(client, context, ['return', 'final_declaration']),
  }),
  defineRule({
    id: 'update-late',
    version: 1,
    name: 'Quarterly update overdue',
    looksFor: 'A quarterly update that HMRC shows as overdue.',
    reads: ['due dates from HMRC', 'the client’s email address'],
    proposes: 'message',
    taxes: ['sa'],
    find: (client, context) => createLateReminders(client, context, ['quarterly_update']),
  }),
  defineRule({
    id: 'penalty-point-near',
    version: 2,
    name: 'Next late return triggers a penalty',
    looksFor: 'A VAT return due soon, where one more late submission penalty point reaches the threshold at which HMRC charges £200.',
    reads: ['penalty points', 'due dates', 'VAT returns prepared here', 'the client’s email address'],
    proposes: 'message',
    taxes: ['vat'],
    threshold: { ...DAYS_BEFORE, normal: 21 },
    law: {
      text: 'Late submission penalties: Finance Act 2021, Schedule 24',
      url: 'https://www.legislation.gov.uk/ukpga/2021/26/schedule/24',
    },
    replaces: ['return-reminder'],
    find: findNearPenalty,
  }),
  defineRule({
    id: 'usually-late',
    version: 1,
    name: 'Usually files late',
    looksFor: `Clients with late returns among their last ${MAX_RETURNS_CONSIDERED} VAT returns. The tag lets you chase these clients earlier.`,
    reads: ['returns with the date HMRC received them'],
    proposes: 'tag',
    taxes: ['vat'],
    threshold: {
      unit: 'count',
      text: `Late returns out of the last ${MAX_RETURNS_CONSIDERED}`,
      normal: 2,
      min: 1,
      max: MAX_RETURNS_CONSIDERED,
      isFloor: true,
    },
    find: findUsuallyLateReturns,
  }),
];

function findNearPenalty(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  if (!isCurrent(client) || !client.has_email) return [];
  const penaltyPoints = findPointsNearPenalty(client);
  if (!penaltyPoints) return [];
  const { vat, points, limit, warning } = penaltyPoints;
  const [item] = listDueItems(
    client,
    today,
    threshold,
    (item) => item.tax === 'vat' && item.what === 'return' && !isPrepared(client, item),
  );
  if (!item) return [];
  const dueText = formatDate(item.due_on);
  return [
    {
      subject: `${getItemId(item)} ${points}`,
      title: `A late VAT return would trigger a £200 penalty: ${points} of ${limit} points`,
      tax: 'vat',
      facts: [toTaxFact(vat, 'Penalty points', `${points} of ${limit}`), toItemFact(client, item)],
      act: writeMessage(`VAT return due on ${dueText}`, [
        `{client}’s VAT return${formatForPeriod(item)} is due on ${dueText}. ${warning}`,
        'Please send us your records this week, so that we can file it in time.',
      ]),
      due_on: item.due_on,
    },
  ];
}

const CHASE_EARLY_TAG = 'Chase early';

function findUsuallyLateReturns(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  if (!isCurrent(client) || client.tags.includes(CHASE_EARLY_TAG)) return [];
  const vat = listReadFigures(client).find(({ tax }) => tax === 'vat');
  const since = addDays(today, -3 * 366);
  const filedReturns = (vat?.returns ?? [])
    .filter(({ received_on: on, due_on: due, end }) => on !== null && due !== null && end >= since)
    .slice(-MAX_RETURNS_CONSIDERED);
  const lateReturns = filedReturns.filter(({ received_on: on, due_on: due }) => on !== null && due !== null && on > due);
  const last = lateReturns.at(-1);
  if (lateReturns.length < threshold || !last || last.received_on === null || last.due_on === null) return [];
  return [
    {
      subject: 'vat',
      title: `${lateReturns.length} of the last ${filedReturns.length} VAT returns were late`,
      tax: 'vat',
      facts: [
        toTaxFact(vat, 'Late VAT returns', `${lateReturns.length} of the last ${filedReturns.length}`),
        toTaxFact(vat, 'Most recent late return', `due on ${formatDate(last.due_on)}, received on ${formatDate(last.received_on)}`),
      ],
      act: { kind: 'tag', tag: CHASE_EARLY_TAG },
      due_on: null,
    },
  ];
}
