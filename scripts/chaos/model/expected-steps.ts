/** What happens when nothing fails: work runs, money moves, and everyone does what the portal asks of them. */
import { pollAll } from './polls.ts';
import { deliverAll } from './model-test-bed.ts';
import type { Sequence, SequenceView } from './sequence.ts';
import {
  acceptQuote,
  changeBankAccount,
  checkFiling,
  confirmCollection,
  decide,
  fileReturn,
  matchCredit,
  release,
  requestQuote,
  retryPayout,
} from './trader-steps.ts';

/** Runs the jobs, moves the payouts and delivers the webhooks. */
export async function workOff({ testBed }: Sequence): Promise<void> {
  const [first, second] = testBed.instances;
  await first.runJobs();
  testBed.portal.bank.advancePayouts();
  await deliverAll(testBed, second);
  await pollAll(first);
  await second.runJobs();
}

/** The trader, the operators and HMRC take the next step. */
export async function actAsAsked(sequence: Sequence, view: SequenceView): Promise<void> {
  const { testBed, sessions } = sequence;
  const [session] = sessions;
  const { advance, account } = view;
  const [olga] = testBed.operators;
  if (!olga) throw new Error('there is no operator');
  const id = advance?.id ?? '';
  switch (advance?.state) {
    case undefined:
      // A filing without a response is looked up at HMRC first, and filed again only if HMRC has nothing.
      await checkFiling(sequence, session);
      await fileReturn(sequence, session);
      await requestQuote(sequence, session);
      return;
    case 'expired':
      await requestQuote(sequence, session);
      return;
    case 'quoted':
      await acceptQuote(sequence, session);
      return;
    case 'accepted':
    case 'in_review':
    case 'approved':
      if (account && advance.collectionConfirmedAt === null) await confirmCollection(sequence, session, view);
      if (advance.state === 'in_review') await decide(sequence, olga, id, 'approve');
      if (advance.state === 'approved') for (const operator of testBed.operators) await release(sequence, operator, id);
      return;
    case 'payout_failed':
      await changeBankAccount(sequence, session);
      await retryPayout(sequence, olga, id);
      return;
    case 'awaiting_hmrc':
    case 'shortfall':
    case 'collecting':
      await repay(sequence, view, olga);
      return;
    default:
      return;
  }
}

/** Operators match what has arrived; HMRC or the trader pays the rest. */
async function repay(sequence: Sequence, { advance, account, credits }: SequenceView, operator: Sequence['sessions'][0]): Promise<void> {
  if (!advance || !account) return;
  const unmatched = credits.find(({ advanceId, returnedAt }) => advanceId === null && returnedAt === null);
  if (unmatched) {
    await matchCredit(sequence, operator, unmatched.id, advance.id);
    return;
  }
  const received = credits.filter(({ advanceId }) => advanceId === advance.id).reduce((sum, { amountPence }) => sum + amountPence, 0);
  const missing = advance.refundPence - received;
  if (missing <= 0) return;
  sequence.testBed.portal.bank.creditAccount({
    sortCode: account.sortCode,
    accountNumber: account.accountNumber,
    amountPence: missing,
    remitterName: advance.state === 'awaiting_hmrc' ? 'HMRC VAT' : 'Tess Exports Ltd',
    reference: sequence.trader.vrn,
  });
}
