/** Events that can follow if HMRC has repaid less than the refund, or hasn't repaid it in time. */
import { isLiveMandate, isPendingDirectDebit } from '@portal/domain/shortfalls/direct-debit.ts';
import { pick } from '../random.ts';
import { pickOperator, pickSession, type Action } from './action.ts';
import { payIn, type Sequence, type SequenceView, type ViewedCase } from './sequence.ts';
import {
  agreeOnPlan,
  answerDispute,
  claim,
  dispute,
  isBeforeNextReturn,
  sellNextRefund,
  setUpMandate,
  writeOff,
} from './shortfall-steps.ts';

const DAY_MS = 24 * 3_600_000;
/** States in which the bank can change a payment at GoCardless, with the next states. */
const NEXT_STATES = { submitted: ['confirmed', 'failed'], confirmed: ['paid_out', 'charged_back'], paid_out: ['charged_back'] } as const;

const findCase = ({ cases }: SequenceView, status: ViewedCase['status']): ViewedCase | undefined =>
  cases.find((item) => item.status === status);
const isDue = (view: SequenceView): boolean => findCase(view, 'due') !== undefined;
const findAdvance = ({ advances }: SequenceView, viewedCase: ViewedCase) => advances.find(({ id }) => id === viewedCase.advance_id);

/** Creates an action for the first case with this status. */
function createCaseAction(
  name: string,
  weight: number,
  status: ViewedCase['status'],
  run: (viewedCase: ViewedCase, ...args: Parameters<Action['run']>) => Promise<unknown>,
): Action {
  return {
    name,
    weight,
    isPossible: (view) => findCase(view, status) !== undefined,
    run: async (sequence, view) => {
      const foundCase = findCase(view, status);
      return foundCase && run(foundCase, sequence, view);
    },
  };
}

/** The bank decides on a Direct Debit, if there is one that it can still change. */
export function decideOnDebit({ testBed, random }: Sequence, { debits }: SequenceView): string | undefined {
  const debit = debits.find(({ status }) => status in NEXT_STATES);
  if (!debit) return undefined;
  const to = pick(random, NEXT_STATES[debit.status as keyof typeof NEXT_STATES]);
  testBed.portal.directDebits.movePayment(debit.provider_payment_id ?? '', to, 'refer to payer');
  return to;
}

export const SHORTFALL_ACTIONS: readonly Action[] = [
  createCaseAction('agree on instalments', 3, 'due', (viewedCase, sequence) =>
    agreeOnPlan(sequence, pickSession(sequence), viewedCase, sequence.random() < 0.5 ? 2 : 3),
  ),
  createCaseAction('dispute', 1.5, 'due', (viewedCase, sequence) => dispute(sequence, pickSession(sequence), viewedCase)),
  createCaseAction('answer the dispute', 4, 'disputed', (viewedCase, sequence) =>
    answerDispute(sequence, pickOperator(sequence), viewedCase),
  ),
  ...(['due', 'disputed'] as const).map((status) =>
    createCaseAction(`write off what is ${status}`, 1.2, status, (viewedCase, sequence) =>
      writeOff(sequence, sequence.testBed.operators, viewedCase),
    ),
  ),
  createCaseAction('claim what is missing', 2, 'watching', (viewedCase, sequence, view) =>
    claim(sequence, pickOperator(sequence), viewedCase, findAdvance(view, viewedCase)?.outstanding_pence ?? 0),
  ),
  createCaseAction('transfer a part of what is due', 2, 'due', async (viewedCase, sequence, view) => {
    const owedAmount = findAdvance(view, viewedCase)?.outstanding_pence ?? 0;
    const amountPence = 1 + Math.floor(sequence.random() * (sequence.random() < 0.3 ? owedAmount * 1.5 : owedAmount));
    if (view.account) payIn(sequence, view.account, amountPence, { remitterName: 'Tess Exports Ltd', reference: viewedCase.reference });
    return amountPence;
  }),
  createCaseAction('a payment after a write-off', 5, 'written_off', async (viewedCase, sequence, view) => {
    const refund = findAdvance(view, viewedCase)?.refund_pence ?? 0;
    const writtenOff = findAdvance(view, viewedCase)?.written_off_pence ?? 0;
    const isFromHmrc = sequence.random() < 0.5;
    const amountPence = pick(sequence.random, [refund, writtenOff, writtenOff + 700, 1 + Math.floor(sequence.random() * refund)]);
    const sender = isFromHmrc ? {} : { remitterName: 'Tess Exports Ltd', reference: viewedCase.reference };
    if (view.account && view.credits.length < 6 && amountPence > 0) payIn(sequence, view.account, amountPence, sender);
    return `${amountPence} from ${isFromHmrc ? 'HMRC' : 'the trader'}`;
  }),
  {
    name: 'set up a Direct Debit',
    weight: 4,
    isPossible: (view) => isDue(view) && !view.mandates.some(({ status }) => isLiveMandate(status) && status !== 'requested'),
    run: (sequence, { advance }) => setUpMandate(sequence, pickSession(sequence), advance ?? { obligation_id: '' }),
  },
  {
    name: 'days pass for a Direct Debit',
    weight: 8,
    isPossible: ({ mandates, debits }) =>
      mandates.some(({ status }) => status !== 'active') ||
      debits.some(({ status }) => isPendingDirectDebit(status) || status === 'confirmed'),
    run: async ({ testBed, random }) => {
      const days = pick(random, [1, 4, 11]);
      testBed.wait(days * DAY_MS);
      return `${days} days`;
    },
  },
  {
    name: 'the bank decides on a Direct Debit',
    weight: 6,
    isPossible: ({ debits }) => debits.some(({ status }) => status in NEXT_STATES),
    run: async (sequence, view) => decideOnDebit(sequence, view),
  },
  {
    name: 'the bank ends the mandate',
    weight: 0.5,
    isPossible: ({ mandates }) => mandates.some(({ status, provider_mandate_id }) => provider_mandate_id !== null && isLiveMandate(status)),
    run: async ({ testBed }, { mandates }) => {
      const mandate = mandates.find(({ status, provider_mandate_id }) => provider_mandate_id !== null && isLiveMandate(status));
      testBed.portal.directDebits.moveMandate(mandate?.provider_mandate_id ?? '', 'failed', 'bank account closed');
    },
  },
  {
    name: 'sell the next refund',
    weight: 2,
    isPossible: ({ advances, advance, now }) =>
      advances.every(({ obligation_id }) => obligation_id === advance?.obligation_id) &&
      ['shortfall', 'collecting', 'settled', 'written_off'].includes(advance?.state ?? '') &&
      isBeforeNextReturn(now),
    run: (sequence) => sellNextRefund(sequence, pickSession(sequence)),
  },
];
