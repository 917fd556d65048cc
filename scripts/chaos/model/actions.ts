/** All events that can happen in a sequence, and how frequent they are. */
import { pick, type RandomSource } from '../random.ts';
import { pickOperator, pickSession, type Action } from './action.ts';
import { drainQueues, followNextAction } from './expected-steps.ts';
import { CONSOLE_ACTIONS } from './console-actions.ts';
import { poll, POLLS } from './polls.ts';
import { OVERLAP_ACTIONS } from './overlap-actions.ts';
import { SHORTFALL_ACTIONS } from './shortfall-actions.ts';
import { deliver, type HeldWebhook } from './webhook-relay.ts';
import type { ModelInstance, ModelTestBed } from './model-test-bed.ts';
import { payIn, UNKNOWN_SENDER, type Sequence, type SequenceView } from './sequence.ts';
import {
  acceptQuote,
  allocateCredit,
  changeAccount,
  confirmCollection,
  decideAdvance,
  fileReturn,
  release,
  retryPayout,
  withdraw,
} from './trader-steps.ts';

const HOUR_MS = 3_600_000;
const WAITS_MS = [60_000, 600_000, 2 * HOUR_MS, 25 * HOUR_MS];
/** Only once the payout has been ordered: any earlier, the next return would become overdue and rule out an advance. */
const LONG_WAITS_MS = [25 * HOUR_MS, 4 * 24 * HOUR_MS, 31 * 24 * HOUR_MS];
/** Calls that can fail; those that pay or file do so more often. */
const CALLS = [
  'truelayer.create_payout',
  'truelayer.create_payout',
  'truelayer.create_payout',
  'truelayer.get_payout',
  'truelayer.token',
  'truelayer.transactions',
  'truelayer.collection_account',
  'hmrc.submit_return',
  'hmrc.submit_return',
  'hmrc.view_return',
  'hmrc.obligations',
  'hmrc.liabilities',
  'hmrc.payments',
  'hmrc.token',
  'gocardless.create_billing_request',
  'gocardless.create_payment',
  'gocardless.create_payment',
  'gocardless.cancel_payment',
  'gocardless.read',
];
const FAULTS = ['timeout_after_work', 'cut_before_work', 'server_error', 'forbidden', 'too_many', 'malformed_body', 'cut_off'] as const;

const pickInstance = ({ testBed, random }: Sequence): ModelInstance => pick(random, testBed.instances);
const hasJobs = ({ queued_jobs }: SequenceView): boolean => queued_jobs > 0;
const isIn =
  (...states: string[]) =>
  ({ advance }: SequenceView): boolean =>
    advance !== undefined && states.includes(advance.state);

export const ACTIONS: readonly Action[] = [
  { name: 'everyone does what is asked', weight: 10, run: followNextAction },
  { name: 'everything due runs', weight: 8, run: (sequence) => drainQueues(sequence, { shouldPoll: sequence.random() < 0.5 }) },
  { name: 'file', weight: 12, isPossible: ({ filing }) => filing === null, run: (sequence) => fileReturn(sequence, pickSession(sequence)) },
  {
    name: 'file on both instances',
    weight: 4,
    isPossible: ({ filing }) => filing === null,
    run: (sequence) => Promise.all(sequence.sessions.map((session) => fileReturn(sequence, session))),
  },
  { name: 'accept', weight: 8, isPossible: isIn('quoted'), run: (sequence) => acceptQuote(sequence, pickSession(sequence)) },
  {
    name: 'accept on both instances',
    weight: 4,
    isPossible: isIn('quoted'),
    run: (sequence) => {
      const key = sequence.random() < 0.5 ? crypto.randomUUID() : undefined;
      return Promise.all(sequence.sessions.map((session) => acceptQuote(sequence, session, key)));
    },
  },
  {
    name: 'confirm the collection account',
    weight: 8,
    isPossible: (view) => isIn('accepted', 'in_review', 'approved')(view) && view.account !== undefined,
    run: (sequence, view) => confirmCollection(sequence, pickSession(sequence), view),
  },
  {
    name: 'withdraw',
    weight: 0.4,
    isPossible: isIn('quoted', 'accepted', 'in_review', 'approved', 'payout_failed'),
    run: (sequence, { advance }) => withdraw(sequence, pickSession(sequence), advance?.id ?? ''),
  },
  { name: 'change the bank account', weight: 0.7, run: (sequence) => changeAccount(sequence) },
  {
    name: 'approve',
    weight: 6,
    isPossible: isIn('in_review'),
    run: (sequence, { advance }) => decideAdvance(sequence, pickOperator(sequence), advance?.id ?? '', 'approve'),
  },
  {
    name: 'decline',
    weight: 0.2,
    isPossible: isIn('in_review', 'approved', 'payout_failed'),
    run: (sequence, { advance }) => decideAdvance(sequence, pickOperator(sequence), advance?.id ?? '', 'decline'),
  },
  {
    name: 'release',
    weight: 5,
    isPossible: isIn('approved'),
    run: (sequence, { advance }) => release(sequence, pickOperator(sequence), advance?.id ?? ''),
  },
  {
    name: 'every operator releases',
    weight: 3,
    isPossible: isIn('approved'),
    run: (sequence, { advance }) =>
      Promise.all(sequence.testBed.operators.map((operator) => release(sequence, operator, advance?.id ?? ''))),
  },
  {
    name: 'retry the payout',
    weight: 5,
    isPossible: isIn('payout_failed'),
    run: (sequence, { advance }) => retryPayout(sequence, pickOperator(sequence), advance?.id ?? ''),
  },
  { name: 'run jobs', weight: 6, isPossible: hasJobs, run: (sequence) => pickInstance(sequence).runJobs() },
  {
    name: 'run jobs on both instances',
    weight: 4,
    isPossible: hasJobs,
    run: ({ testBed }) => Promise.all(testBed.instances.map((instance) => instance.runJobs())),
  },
  {
    name: 'poll',
    weight: 5,
    isPossible: ({ account }) => account !== undefined,
    run: (sequence) => poll(pickInstance(sequence), pick(sequence.random, POLLS)),
  },
  {
    name: 'move payouts',
    weight: 8,
    isPossible: ({ payoutsAtBank }) => payoutsAtBank.length > 0,
    run: async ({ testBed }) => testBed.portal.bank.advancePayouts(),
  },
  {
    name: 'fail the next payout',
    weight: 0.7,
    isPossible: isIn('approved', 'paying'),
    run: async ({ testBed }) => testBed.portal.bank.failNextPayout('scheme_error'),
  },
  {
    name: 'return the payout',
    weight: 1.5,
    isPossible: ({ payoutsAtBank }) => payoutsAtBank.some(({ status }) => status === 'executed'),
    run: async ({ testBed }, { payoutsAtBank }) => {
      const executedPayout = payoutsAtBank.find(({ status }) => status === 'executed');
      return testBed.portal.bank.returnPayout(executedPayout?.id ?? '', 'account_closed');
    },
  },
  { name: 'deliver a webhook', weight: 7, isPossible: ({ account }) => account !== undefined, run: (sequence) => deliverOne(sequence) },
  {
    name: 'lose a webhook',
    weight: 1.5,
    isPossible: ({ account }) => account !== undefined,
    run: async (sequence) => void (await takeWebhook(sequence)),
  },
  sendCredit('credit of the whole refund', 3, ({ refundPence }) => refundPence),
  sendCredit('credit of a part', 1.2, ({ refundPence, random }) => 1 + Math.floor(random() * (refundPence - 1))),
  {
    name: 'HMRC pays a part before the payout',
    weight: 3,
    isPossible: (view) =>
      isIn('accepted', 'in_review', 'approved', 'paying')(view) && view.account !== undefined && view.credits.length < 3,
    run: async (sequence, { account, advance }) => {
      const amountPence = 1 + Math.floor(sequence.random() * ((advance?.refund_pence ?? 2) - 1));
      if (account) payIn(sequence, account, amountPence);
      return amountPence;
    },
  },
  sendCredit('credit with interest', 0.8, ({ refundPence }) => refundPence + 1_234),
  sendCredit('credit of a stranger', 0.8, ({ refundPence, random }) => pick(random, [1, refundPence, refundPence - 100]), UNKNOWN_SENDER),
  sendCredit('credit in euros', 0.3, () => 5_000, 'Oslo AS', 'EUR'),
  {
    name: 'match a credit to something else',
    weight: 1.5,
    isPossible: ({ credits }) => credits.length > 0,
    run: async (sequence, { credits, advance }) => {
      const credit = pick(sequence.random, credits);
      const fullCredit = { amount_pence: credit.amount_pence };
      const half = Math.max(1, Math.floor(credit.amount_pence / 2));
      const choices = [
        [],
        [{ ...fullCredit, advance_id: null }],
        [{ ...fullCredit, advance_id: advance?.id ?? null }],
        [
          { amount_pence: half, advance_id: advance?.id ?? null },
          { amount_pence: credit.amount_pence - half, advance_id: null },
        ],
      ];
      return allocateCredit(sequence, sequence.testBed.operators, credit.id, pick(sequence.random, choices));
    },
  },
  {
    name: 'a provider fails',
    weight: 7,
    run: async ({ coverage, random }, { mandates }) => {
      const operation = pick(
        random,
        CALLS.filter((call) => mandates.length > 0 || !call.startsWith('gocardless.')),
      );
      // A throttled call to HMRC waits for several seconds of real time.
      const kinds = operation.startsWith('hmrc.') ? FAULTS.filter((kind) => kind !== 'too_many') : FAULTS;
      const fault = { operation, kind: pick(random, kinds), times: 1 + Math.floor(random() * 3) };
      coverage.setFault(fault);
      return `${fault.operation} ${fault.kind} ${fault.times}`;
    },
  },
  {
    name: 'a connection drops',
    weight: 6,
    run: async (sequence) => {
      const drop = pick(sequence.random, ['before_commit', 'after_commit'] as const);
      pickInstance(sequence).connections.dropAt(drop, Math.floor(sequence.random() * 4));
      return drop;
    },
  },
  {
    name: 'time passes',
    weight: 4,
    run: async ({ testBed, random }, { orders }) => {
      const waitMs = pick(random, orders.length > 0 && random() < 0.5 ? LONG_WAITS_MS : WAITS_MS);
      testBed.wait(waitMs);
      return `${waitMs / HOUR_MS} h`;
    },
  },
  ...CONSOLE_ACTIONS,
  ...OVERLAP_ACTIONS,
  ...SHORTFALL_ACTIONS,
];

/** Pays into the trader's collection account. */
function sendCredit(
  name: string,
  weight: number,
  getAmount: (sequence: Sequence) => number,
  remitterName = 'HMRC VAT',
  currency = 'GBP',
): Action {
  return {
    name,
    weight,
    isPossible: ({ account, credits }) => account !== undefined && credits.length < 3,
    run: async (sequence, { account }) => {
      const amountPence = getAmount(sequence);
      if (account) payIn(sequence, account, amountPence, { remitterName, currency });
      return amountPence;
    },
  };
}

/** Takes any of the held webhooks, so that they arrive in a different order. */
async function takeWebhook({
  testBed,
  random,
}: {
  readonly testBed: ModelTestBed;
  readonly random: RandomSource;
}): Promise<HeldWebhook | undefined> {
  await testBed.settleWebhooks();
  const [webhook] = testBed.relay.held.splice(Math.floor(random() * testBed.relay.held.length), 1);
  return webhook;
}

async function deliverOne(sequence: Sequence): Promise<unknown> {
  const webhook = await takeWebhook(sequence);
  if (!webhook) return 'none';
  const status = await deliver(pickInstance(sequence), webhook);
  // The bank resends it if the portal didn't accept it, and sometimes even if it did.
  if (status >= 300 || sequence.random() < 0.3) sequence.testBed.relay.held.push(webhook);
  return status;
}
