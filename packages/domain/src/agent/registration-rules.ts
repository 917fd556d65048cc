/** Rules about registering for VAT and deregistering, based on a client's 12-month turnover. They advise the practice. */
import { addDays, addMonths, formatDate, getEndOfMonth } from '../plain-date.ts';
import {
  findExceededThreshold,
  NEWEST_REGISTRATION_THRESHOLD,
  REGISTRATION_THRESHOLDS,
  type RegistrationThreshold,
} from '../uk-tax/vat/registration-thresholds.ts';
import type { ClientFacts } from './agent-facts.ts';
import { defineRule, type AgentRule, type Finding, type RuleContext } from './agent-rule.ts';
import { createTaskAction, formatAmount, isCurrent, toPracticeFact } from './rule-text.ts';
import { findTurnover, formatMonths, listRegistrationTurnovers, listTurnoversAbove, type Turnover } from './turnover.ts';

const { registration_pence: REGISTRATION_PENCE, deregistration_pence: DEREGISTRATION_PENCE } = NEWEST_REGISTRATION_THRESHOLD;
const DAYS_TO_NOTIFY = 30;

const SCHEDULE_1 = 'https://www.legislation.gov.uk/ukpga/1994/23/schedule/1';

const DATA_SOURCES = [
  '12-month turnover: from VAT returns read from HMRC or filed here, from the client’s books, or entered by your practice',
] as const;

export const REGISTRATION_RULES: readonly AgentRule[] = [
  defineRule({
    id: 'vat-registration-near',
    version: 3,
    name: 'Turnover is near the VAT registration threshold',
    looksFor:
      'A client that isn’t registered for VAT and whose 12-month turnover is near or above £90,000. If it’s above £90,000 at the end of any month, the client has 30 days to tell HMRC, even if turnover is lower in later months and however long ago it was. Months before 1 April 2024 are compared with the threshold of their date, such as £85,000 from 1 April 2017. VAT returns, books with a VAT number, and figures from when the client was registered here don’t count, because they show sales made under a registration that has ended. The other test, more than £90,000 expected in the next 30 days alone, needs someone to check it. Clients without a known turnover aren’t proposed. Near and above are each proposed at most once per calendar year, and months in a row above it only once.',
    reads: [
      '12-month turnover: from the client’s books without a VAT number, or entered by your practice',
      'whether the client has VAT or a VAT number here, or is in a VAT group',
    ],
    proposes: 'task',
    threshold: {
      unit: 'pence',
      text: '12-month turnover from',
      normal: 8_000_000,
      min: 4_000_000,
      max: REGISTRATION_PENCE,
      isFloor: true,
    },
    law: { text: 'Value Added Tax Act 1994, Schedule 1, paragraphs 1, 5 and 6; VAT Notice 700/1', url: SCHEDULE_1 },
    find: findNearRegistration,
  }),
  defineRule({
    id: 'deregistration-possible',
    version: 4,
    name: 'Turnover below the deregistration threshold',
    looksFor:
      'A registered client whose 12-month turnover is below £88,000, so it can ask HMRC to cancel its registration. Box 6 of VAT returns is usually no lower than taxable turnover, because it also counts exempt and overseas sales. A VAT group isn’t proposed, because the turnover of all its members counts. Proposed at most once per calendar year.',
    reads: DATA_SOURCES,
    proposes: 'task',
    taxes: ['vat'],
    threshold: {
      unit: 'pence',
      text: '12-month turnover below',
      normal: DEREGISTRATION_PENCE,
      min: 0,
      max: DEREGISTRATION_PENCE,
      isFloor: false,
    },
    law: { text: 'Value Added Tax Act 1994, Schedule 1, paragraph 4', url: SCHEDULE_1 },
    find: findPossibleDeregistration,
  }),
];

function findNearRegistration(client: ClientFacts, context: RuleContext): Finding[] {
  if (!isCurrent(client) || client.is_vat_registered) return [];
  const turnovers = listRegistrationTurnovers(client, context.today);
  const [newestTurnover] = turnovers;
  if (!newestTurnover) return [];
  const findings = listFirstAbove(turnovers).flatMap((turnover) => {
    const threshold = findExceededThreshold(turnover.end, turnover.turnover_pence);
    return threshold ? [toAboveFinding(client, context, { turnover, threshold, newest: newestTurnover })] : [];
  });
  if (findings.length > 0) return findings;
  return newestTurnover.turnover_pence < context.threshold ? [] : [toNearLimitFinding(client, context, newestTurnover)];
}

/**
 * Lists the first of each run of months above the threshold, at most one for each calendar year. The liability arises then; after lower
 * months it can arise again, for example if HMRC granted an exception before.
 */
function listFirstAbove(turnovers: readonly Turnover[]): Turnover[] {
  const firsts = listTurnoversAbove(turnovers).filter(({ end }, index, all) => all[index - 1]?.end !== getEndOfMonth(addMonths(end, -1)));
  return firsts.filter(({ end }, index) => firsts[index - 1]?.end.slice(0, 4) !== end.slice(0, 4));
}

const FORWARD_TEST_NOTE =
  `The client must also register if at any time it expects more than ${formatAmount(REGISTRATION_PENCE)} in the next 30 days alone. It must then tell HMRC within those 30 days, and is registered from the first of them.` as const;
const TAXABLE_SALES_NOTE =
  'Only taxable sales count, including zero-rated sales and services bought from abroad. Exempt sales and sales of capital assets don’t.';

function toNearLimitFinding(client: ClientFacts, context: RuleContext, turnover: Turnover): Finding {
  const [amount, months] = [formatAmount(turnover.turnover_pence), formatMonths(turnover)];
  const poundsLeft = formatAmount(REGISTRATION_PENCE - turnover.turnover_pence);
  return {
    subject: `near ${turnover.end.slice(0, 4)}`,
    title: `12-month turnover of ${amount}: ${poundsLeft} below the VAT registration threshold`,
    tax: null,
    facts: [
      turnover.fact,
      toPracticeFact('VAT registration threshold', `${formatAmount(REGISTRATION_PENCE)} ${formatInForce(NEWEST_REGISTRATION_THRESHOLD)}`),
    ],
    act: createTaskAction(client, context, {
      title: 'Check whether the client must register for VAT soon',
      notes: `Turnover from ${months} was ${amount}, which is ${poundsLeft} below the registration threshold of ${formatAmount(REGISTRATION_PENCE)}. Above it, the client must register, unless it belongs to a VAT group. The test applies at the end of every month, to the previous 12 months. ${FORWARD_TEST_NOTE} ${TAXABLE_SALES_NOTE}`,
      inDays: 14,
      service: 'vat',
    }),
    due_on: null,
  };
}

type ExceededThreshold = { readonly turnover: Turnover; readonly threshold: RegistrationThreshold; readonly newest: Turnover };

function toAboveFinding(client: ClientFacts, context: RuleContext, { turnover, threshold, newest }: ExceededThreshold): Finding {
  const { end } = turnover;
  const [amount, months] = [formatAmount(turnover.turnover_pence), formatMonths(turnover)];
  const [limit, exceptionLimit] = [formatAmount(threshold.registration_pence), formatAmount(threshold.deregistration_pence)];
  const [notifyBy, from] = [addDays(end, DAYS_TO_NOTIFY), addDays(getEndOfMonth(addMonths(end, 1)), 1)];
  // Finance Act 2008 Sch 41 para 1: the penalty for not telling HMRC in time.
  const lateNote =
    notifyBy < context.today
      ? ` ${formatDate(notifyBy)} has passed, so the client must tell HMRC now: it owes VAT from ${formatDate(from)}, and HMRC may charge a penalty for telling it late.`
      : '';
  return {
    subject: `above ${end.slice(0, 4)}`,
    title: `12-month turnover of ${amount} to ${formatDate(end)} was above the VAT registration threshold`,
    tax: null,
    facts: [
      turnover.fact,
      ...(newest === turnover ? [] : [newest.fact]),
      toPracticeFact('VAT registration threshold', `${limit} ${formatInForce(threshold)}`),
      toPracticeFact('Month end above the threshold', formatDate(end)),
      toPracticeFact('Last day to tell HMRC', `${formatDate(notifyBy)}, 30 days after the end of the month`),
      toPracticeFact('Registered from', formatDate(from)),
    ],
    act: {
      ...createTaskAction(client, context, {
        title: 'Register the client for VAT, or ask HMRC for an exception',
        notes: `Turnover from ${months} was ${amount}, above the registration threshold of ${limit}. If it was taxable, the client must tell HMRC by ${formatDate(notifyBy)} and is registered from ${formatDate(from)}, unless it belongs to a VAT group.${lateNote} Both dates are earlier if turnover was already above the threshold in an earlier month, and a lower figure later doesn’t change this. Sales made under an earlier registration don’t count. HMRC may grant an exception if taxable turnover in the 12 months after ${formatDate(end)} won’t be above ${exceptionLimit}. ${FORWARD_TEST_NOTE} ${TAXABLE_SALES_NOTE}`,
        inDays: 3,
        service: 'vat',
      }),
    },
    due_on: notifyBy,
  };
}

function formatInForce({ from }: RegistrationThreshold): string {
  const next = REGISTRATION_THRESHOLDS.find((threshold) => threshold.from > from);
  return next ? `from ${formatDate(from)} to ${formatDate(addDays(next.from, -1))}` : `since ${formatDate(from)}`;
}

function findPossibleDeregistration(client: ClientFacts, context: RuleContext): Finding[] {
  if (!isCurrent(client) || !client.taxes.includes('vat') || client.represents_vat_group) return [];
  const foundTurnover = findTurnover(client, context.today);
  if (!foundTurnover || foundTurnover.turnover_pence >= context.threshold) return [];
  const [turnover, months] = [formatAmount(foundTurnover.turnover_pence), formatMonths(foundTurnover)];
  const isBox6 = foundTurnover.source === 'returns';
  return [
    {
      subject: foundTurnover.end.slice(0, 4),
      title: `12-month turnover of ${turnover}: could deregister from VAT`,
      tax: 'vat',
      facts: [foundTurnover.fact, toPracticeFact('Deregistration threshold', formatAmount(DEREGISTRATION_PENCE), 'vat')],
      act: createTaskAction(client, context, {
        title: 'Check whether deregistering from VAT would help',
        notes: `Turnover from ${months} was ${turnover}${isBox6 ? ' (box 6)' : ''}, below ${formatAmount(DEREGISTRATION_PENCE)}. HMRC cancels a registration on request if taxable turnover in the next 12 months will be below that. This may not help a client whose customers reclaim VAT, or that has a lot of VAT to reclaim.${isBox6 ? ' Box 6 also counts exempt and overseas sales, so taxable turnover may be lower.' : ''}`,
        inDays: 14,
        service: 'vat',
      }),
      due_on: null,
    },
  ];
}
