/** What happens when nothing fails: work runs, money moves, and everyone does what the portal asks of them. */
import { pollAll } from './polls.ts';
import { deliverAll } from './model-test-bed.ts';
import type { Browser } from '../../../apps/server/src/testing/test-trader.ts';
import { listArrived, type Sequence, type SequenceView } from './sequence.ts';
import {
  acceptQuote,
  allocateCredit,
  approveOpenRequests,
  changeBankAccount,
  checkFiling,
  confirmCollection,
  decide,
  fileReturn,
  listExceptions,
  paySurplus,
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
      await workExceptionsOff(sequence, view);
      return;
    default:
      await workExceptionsOff(sequence, view);
  }
}

/**
 * Two operators decide on credits that could not be matched automatically, and pay out what belongs to the trader. HMRC pays the refund once;
 * the trader pays what is missing.
 */
async function workExceptionsOff(sequence: Sequence, { advance, account, credits }: SequenceView): Promise<void> {
  const { operators } = sequence.testBed;
  const [operator] = operators;
  if (!operator || !account) return;
  await approveOpenRequests(sequence, operators);
  const exceptions = await listExceptions(sequence, operator);
  const undecided = exceptions.filter(({ kind }) => kind === 'credit');
  for (const { subject_id, amount_pence } of undecided) {
    await allocateCredit(sequence, operators, subject_id, await split(sequence, operator, amount_pence));
  }
  for (const { amount_pence, in_flight_pence } of exceptions.filter(({ kind }) => kind === 'surplus')) {
    if (in_flight_pence === 0) await paySurplus(sequence, operators, amount_pence);
  }
  // A credit at the bank that the portal has not read yet may be the one that is missing.
  if (undecided.length > 0 || listArrived(sequence, account).length > credits.length) return;
  const shortfall = exceptions.find(({ kind }) => kind === 'shortfall');
  if (advance?.state === 'awaiting_hmrc') payIn(sequence, account, advance.refundPence, 'HMRC VAT');
  else if (shortfall) payIn(sequence, account, shortfall.amount_pence, 'Tess Exports Ltd');
}

/** As much as the company's advances still wait for; the rest is the trader's. */
async function split({ trader }: Sequence, operator: Browser, amountPence: number) {
  const { body } = await operator.get('/operator/credits', { company_id: trader.companyId });
  const allocations: { advance_id: string | null; amount_pence: number }[] = [];
  let left = amountPence;
  for (const { advance_id, outstanding_pence } of body['targets'] as { advance_id: string; outstanding_pence: number }[]) {
    const part = Math.min(left, outstanding_pence);
    if (part > 0) allocations.push({ advance_id, amount_pence: part });
    left -= part;
  }
  if (left > 0) allocations.push({ advance_id: null, amount_pence: left });
  return allocations;
}

function payIn(
  { testBed, trader }: Sequence,
  account: NonNullable<SequenceView['account']>,
  amountPence: number,
  remitterName: string,
): void {
  const { sortCode, accountNumber } = account;
  testBed.portal.bank.creditAccount({ sortCode, accountNumber, amountPence, remitterName, reference: trader.vrn });
}
