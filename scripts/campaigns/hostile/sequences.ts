/** The sequences that users perform. */
import { runAccountSequence, runProviderSignInSequence } from './account-sequence.ts';
import { acceptOffer, getOffer, payOut, readDocuments, repay, waitForState, withdraw } from './advance-sequence.ts';
import { runClientsSequence } from './clients-sequence.ts';
import { runOperatorSequence } from './operator-sequence.ts';
import type { HostileTestBed } from './people.ts';
import { runPracticeSequence } from './practice-sequence.ts';
import { runPracticeTeamSequence } from './practice-team-sequence.ts';
import { allocateCredit, pursueShortfall } from './shortfall-sequence.ts';
import { completeSteps, connectTrader, fileReturn, openTrader, prepareReturn, uploadBooks } from './trader-sequence.ts';
import { runWebhookSequence } from './webhook-sequence.ts';

export type Sequence = { readonly name: string; readonly weight: number; readonly run: (testBed: HostileTestBed) => Promise<void> };
type SequenceEnd = 'withdraw' | 'settle' | 'shortfall' | 'credit';

async function runTraderSequence(testBed: HostileTestBed, end: SequenceEnd): Promise<void> {
  const trader = await openTrader(testBed);
  const obligation = await connectTrader(testBed, trader);
  await completeSteps(testBed, trader);
  await uploadBooks(trader, obligation);
  await prepareReturn(trader, obligation);
  await fileReturn(trader, obligation);
  const offer = await getOffer(trader, obligation);
  await readDocuments(trader, obligation, offer.advance_id);
  const sale = await acceptOffer(trader, obligation, offer);
  if (end === 'withdraw') return withdraw(sale);
  await payOut(testBed, sale);
  if (end === 'credit') return allocateCredit(testBed, sale);
  await waitForState(sale, 'awaiting_hmrc');
  if (end === 'settle') {
    await repay(testBed, sale);
    return void (await waitForState(sale, 'settled'));
  }
  await repay(testBed, sale, (offer.refund_pence * 3) / 4);
  await waitForState(sale, 'shortfall');
  await pursueShortfall(testBed, sale);
}

export const SEQUENCES: readonly Sequence[] = [
  { name: 'a short refund', weight: 2, run: (testBed) => runTraderSequence(testBed, 'shortfall') },
  { name: 'a stranger’s payment', weight: 1, run: (testBed) => runTraderSequence(testBed, 'credit') },
  { name: 'account', weight: 3, run: runAccountSequence },
  { name: 'practice', weight: 3, run: runPracticeSequence },
  { name: 'clients', weight: 3, run: runClientsSequence },
  { name: 'team, tasks and messages', weight: 3, run: runPracticeTeamSequence },
  { name: 'operators', weight: 1, run: runOperatorSequence },
  { name: 'webhooks', weight: 2, run: runWebhookSequence },
  { name: 'provider sign-in', weight: 2, run: runProviderSignInSequence },
  { name: 'a refund withdrawn', weight: 1, run: (testBed) => runTraderSequence(testBed, 'withdraw') },
  { name: 'a refund settled', weight: 1, run: (testBed) => runTraderSequence(testBed, 'settle') },
];
