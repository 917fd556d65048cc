/** The steps if nothing fails: jobs run, money moves, and every user does what the portal asks. */
import { isLiveMandate, isUsableMandate } from '@portal/domain/shortfalls/direct-debit.ts';
import { isOpenShortfall } from '@portal/domain/shortfalls/shortfall-status.ts';
import type { Browser } from '../../../apps/server/src/testing/test-trader.ts';
import { recordAsLost } from './console-actions.ts';
import { deliverAll } from './model-test-bed.ts';
import { pollAll } from './polls.ts';
import {
  listArrivedCredits,
  payIn,
  UNKNOWN_SENDER,
  type Sequence,
  type SequenceView,
  type ViewedAccount,
  type ViewedAdvance,
} from './sequence.ts';
import { answerDispute, fileOverdueReturn, setUpMandate } from './shortfall-steps.ts';
import {
  acceptQuote,
  allocateCredit,
  changeAccount,
  checkFiling,
  confirmCollection,
  confirmFacts,
  decideAdvance,
  decideOpenRequests,
  fileReturn,
  listExceptions,
  paySurplus,
  reconnect,
  release,
  requestQuote,
  retryPayout,
  returnCredit,
} from './trader-steps.ts';

/** HMRC's figures are refreshed shortly before they become too old. */
const FACTS_AGE_MS = 20 * 3_600_000;
/** Above this, two operators must release. */
const TWO_RELEASES_ABOVE_PENCE = 2_500_000;

/** Runs the jobs, advances the payouts and delivers the webhooks; with `polls`, also reads everything at the bank. */
export async function drainQueues({ testBed }: Sequence, { shouldPoll }: { readonly shouldPoll: boolean }): Promise<void> {
  const [first, second] = testBed.instances;
  await first.runJobs();
  testBed.portal.bank.advancePayouts();
  await deliverAll(testBed, second);
  if (shouldPoll) await pollAll(first);
  await second.runJobs();
}

/** Performs the next step for the trader, the operators and HMRC. */
export async function followNextAction(sequence: Sequence, view: SequenceView): Promise<void> {
  const [session] = sequence.sessions;
  const { advance } = view;
  // If the response with a new token is lost, the connection ends.
  if (!view.is_connected) await reconnect(sequence, session);
  switch (advance?.state) {
    case undefined:
      return handleFiling(sequence, session, view);
    case 'expired':
      await requestQuote(sequence, session, advance);
      return;
    case 'quoted':
      await acceptQuote(sequence, session);
      break;
    default:
  }
  // The bank may return an earlier refund's payout while the next refund is being sold.
  for (const unpaidAdvance of view.advances) await handlePayout(sequence, view, unpaidAdvance);
  await handleCases(sequence, view);
}

async function handlePayout(sequence: Sequence, view: SequenceView, advance: ViewedAdvance): Promise<void> {
  if (['accepted', 'in_review', 'approved'].includes(advance.state)) return handleBeforePayout(sequence, view, advance);
  const [olga] = sequence.testBed.operators;
  if (advance.state !== 'payout_failed' || !olga) return;
  await changeAccount(sequence);
  await retryPayout(sequence, olga, advance.id);
}

/** A filing without a response is first checked at HMRC, and filed again only if HMRC doesn't have it. */
async function handleFiling(sequence: Sequence, session: Browser, { filing }: SequenceView): Promise<void> {
  if (filing === 'accepted') await requestQuote(sequence, session);
  else if (filing === 'sending' || filing === 'unknown') await checkFiling(sequence, session);
  else await fileReturn(sequence, session);
}

async function handleBeforePayout(sequence: Sequence, view: SequenceView, advance: ViewedAdvance): Promise<void> {
  const { testBed, sessions } = sequence;
  const [session] = sessions;
  const [olga, omar, otis] = testBed.operators;
  const isOld = advance.facts_read_at === null || Date.parse(view.now) - Date.parse(advance.facts_read_at) > FACTS_AGE_MS;
  if (advance.payout_hold?.includes('overdue')) fileOverdueReturn(sequence);
  if (view.account && advance.collection_confirmed_at === null) await confirmCollection(sequence, session, view);
  else if (isOld || advance.payout_hold !== null) await confirmFacts(sequence, session, advance.id);
  if (advance.mandate_required && !view.mandates.some(({ status }) => isUsableMandate(status)))
    await setUpMandate(sequence, session, advance);
  if (advance.state === 'in_review' && olga) await decideAdvance(sequence, olga, advance.id, 'approve');
  if (advance.state !== 'approved') return;
  let releasesMissing = advance.net_pence > TWO_RELEASES_ABOVE_PENCE ? 2 : 1;
  for (const operator of [omar, otis, olga]) {
    if (!operator || releasesMissing === 0) return;
    if ((await release(sequence, operator, advance.id)) === 200) releasesMissing -= 1;
  }
}

/**
 * Two operators decide on credits that couldn't be matched automatically, and pay out the trader's money. HMRC pays each refund once; the
 * trader pays any shortfall, unless a Direct Debit is pending.
 */
async function handleCases(sequence: Sequence, view: SequenceView): Promise<void> {
  const { account, credits, advances, cases } = view;
  const { operators } = sequence.testBed;
  const [operator] = operators;
  if (!operator || !account) return;
  if (view.open_requests > 0) await decideOpenRequests(sequence, operators);
  // Only received money can be unmatched or excess.
  const exceptions = credits.length + view.debits.length === 0 ? [] : await listExceptions(sequence, operator);
  const undecidedCredits = exceptions.filter(({ kind }) => kind === 'credit');
  await returnUnknownCredits(
    sequence,
    view,
    undecidedCredits.map(({ subject_id }) => subject_id),
  );
  for (const { subject_id, amount_pence } of undecidedCredits) {
    if (credits.some(({ id, remitter }) => id === subject_id && remitter === UNKNOWN_SENDER)) continue;
    await allocateCredit(sequence, operators, subject_id, await splitCredit(sequence, operator, subject_id, amount_pence));
  }
  for (const { amount_pence, in_flight_pence } of exceptions.filter(({ kind }) => kind === 'surplus')) {
    if (in_flight_pence === 0) await paySurplus(sequence, operators, amount_pence);
  }
  for (const { kind, subject_id } of exceptions) if (kind === 'collection_payout') await recordAsLost(sequence, subject_id);
  for (const foundCase of cases) if (foundCase.status === 'disputed') await answerDispute(sequence, operator, foundCase);
  // A credit at the bank that the portal hasn't read yet may be the missing one.
  if (undecidedCredits.length > 0 || listArrivedCredits(sequence, account).length > credits.length) return;
  for (const advance of advances) payMissingAmount(sequence, view, account, advance);
}

/** Returns third parties' money to them, after removing its matches. */
async function returnUnknownCredits(sequence: Sequence, { credits }: SequenceView, undecidedIds: readonly string[]): Promise<void> {
  const { operators } = sequence.testBed;
  for (const { id, remitter, returned_at } of credits) {
    if (remitter !== UNKNOWN_SENDER || returned_at !== null) continue;
    if (undecidedIds.includes(id)) await returnCredit(sequence, operators, id);
    else await allocateCredit(sequence, operators, id, []);
  }
}

function payMissingAmount(sequence: Sequence, view: SequenceView, account: ViewedAccount, advance: ViewedAdvance): void {
  if (advance.outstanding_pence <= 0) return;
  if (advance.state === 'awaiting_hmrc') return payIn(sequence, account, advance.outstanding_pence);
  const foundCase = view.cases.find(({ advance_id }) => advance_id === advance.id);
  const isOwed = advance.state === 'shortfall' || advance.state === 'collecting';
  if (!isOwed || !foundCase || foundCase.status !== 'due' || isCollecting(view)) return;
  payIn(sequence, account, advance.outstanding_pence, { remitterName: 'Tess Exports Ltd', reference: foundCase.reference });
}

/** Returns true if a Direct Debit or its mandate is still being processed by the banks. */
export function isCollecting({ debits, mandates, advance }: SequenceView): boolean {
  const waitsForMandate = advance?.mandate_required === true && ['accepted', 'in_review', 'approved'].includes(advance.state);
  const isMoving = debits.some(({ status }) => !['paid_out', 'failed', 'cancelled', 'charged_back'].includes(status));
  return isMoving || (waitsForMandate && mandates.some(({ status }) => isLiveMandate(status) && status !== 'active'));
}

export const hasOpenCase = ({ cases }: SequenceView): boolean => cases.some(({ status }) => isOpenShortfall(status));

type Part = { readonly advance_id: string | null; readonly amount_pence: number };
type Credits = {
  readonly credits: readonly { readonly credit_id: string; readonly allocations: readonly Part[] }[];
  readonly targets: readonly { readonly advance_id: string; readonly outstanding_pence: number }[];
};

/** Adds the amounts that the company's advances are still waiting for to what the credit already pays; the rest belongs to the trader. */
async function splitCredit({ trader }: Sequence, operator: Browser, creditId: string, amountPence: number): Promise<Part[]> {
  const { body } = await operator.get('/operator/credits', { company_id: trader.companyId });
  const { credits, targets } = body as Credits;
  const current = credits.find(({ credit_id }) => credit_id === creditId)?.allocations ?? [];
  const amounts = new Map(current.map(({ advance_id, amount_pence }) => [advance_id, amount_pence]));
  const add = (owner: string | null, amount: number) => amount > 0 && amounts.set(owner, (amounts.get(owner) ?? 0) + amount);
  let remaining = amountPence;
  for (const { advance_id, outstanding_pence } of targets) {
    const part = Math.min(remaining, outstanding_pence);
    add(advance_id, part);
    remaining -= part;
  }
  add(null, remaining);
  return [...amounts].map(([advance_id, amount_pence]) => ({ advance_id, amount_pence }));
}
