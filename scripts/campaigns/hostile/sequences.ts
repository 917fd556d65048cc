/** The sequences that users perform. */
import { playAccount, playProviderSignIn } from './account-sequence.ts';
import { acceptOffer, getOffer, payOut, readDocuments, repay, waitForState, withdraw } from './advance-sequence.ts';
import { playClients } from './clients-sequence.ts';
import { playOperators } from './operator-sequence.ts';
import type { Stage } from './people.ts';
import { playPractice } from './practice-sequence.ts';
import { playPracticeTeam } from './practice-team-sequence.ts';
import { allocateCredit, pursueShortfall } from './shortfall-sequence.ts';
import { completeSteps, connectTrader, fileReturn, openTrader, prepareReturn, uploadBooks } from './trader-sequence.ts';
import { playWebhooks } from './webhook-sequence.ts';

export type Sequence = { readonly name: string; readonly weight: number; readonly play: (stage: Stage) => Promise<void> };
type SequenceEnd = 'withdraw' | 'settle' | 'shortfall' | 'credit';

async function playTrader(stage: Stage, end: SequenceEnd): Promise<void> {
  const trader = await openTrader(stage);
  const obligation = await connectTrader(stage, trader);
  await completeSteps(stage, trader);
  await uploadBooks(trader, obligation);
  await prepareReturn(trader, obligation);
  await fileReturn(trader, obligation);
  const offer = await getOffer(trader, obligation);
  await readDocuments(trader, obligation, offer.advance_id);
  const sale = await acceptOffer(trader, obligation, offer);
  if (end === 'withdraw') return withdraw(sale);
  await payOut(stage, sale);
  if (end === 'credit') return allocateCredit(stage, sale);
  await waitForState(sale, 'awaiting_hmrc');
  if (end === 'settle') {
    await repay(stage, sale);
    return void (await waitForState(sale, 'settled'));
  }
  await repay(stage, sale, (offer.refund_pence * 3) / 4);
  await waitForState(sale, 'shortfall');
  await pursueShortfall(stage, sale);
}

export const SEQUENCES: readonly Sequence[] = [
  { name: 'a short refund', weight: 2, play: (stage) => playTrader(stage, 'shortfall') },
  { name: 'a stranger’s payment', weight: 1, play: (stage) => playTrader(stage, 'credit') },
  { name: 'account', weight: 3, play: playAccount },
  { name: 'practice', weight: 3, play: playPractice },
  { name: 'clients', weight: 3, play: playClients },
  { name: 'team, tasks and messages', weight: 3, play: playPracticeTeam },
  { name: 'operators', weight: 1, play: playOperators },
  { name: 'webhooks', weight: 2, play: playWebhooks },
  { name: 'provider sign-in', weight: 2, play: playProviderSignIn },
  { name: 'a refund withdrawn', weight: 1, play: (stage) => playTrader(stage, 'withdraw') },
  { name: 'a refund settled', weight: 1, play: (stage) => playTrader(stage, 'settle') },
];
