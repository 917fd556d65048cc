/** Keeps a case in step with money that arrived after its difference was written off. Postings are in advances/allocate-credit.ts. */
import type { Tx } from '@portal/db/database.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { AdvanceRow, TransitionContext } from '../advances/transition-advance.ts';
import { sumWrittenOffAmounts } from '../advances/written-off.ts';
import { sendRecoveredLetter, sendWriteOffRestoredLetter } from './recovery-letters.ts';
import { changeShortfall, findShortfallByAdvance, recordShortfallEvent } from './shortfall-record.ts';

type Context = TransitionContext & { readonly reason: string };

/** Call this after the payment is allocated. The case is settled once no write-off remains. */
export async function followRecovery(deps: AppDeps, tx: Tx, advance: AdvanceRow, recoveredAmount: Pence, context: Context): Promise<void> {
  const row = await findShortfallByAdvance(tx, advance.companyId, advance.id);
  if (!row) return;
  const writtenOffLeft = await sumWrittenOffAmounts(tx, advance.companyId, advance.id);
  const remainingText = writtenOffLeft > 0 ? `${formatPounds(writtenOffLeft)} remains written off.` : 'Nothing is written off any more.';
  const explanation = `${formatPounds(recoveredAmount)} that was written off has been recovered. ${remainingText} ${context.reason}`;
  const isSettled = writtenOffLeft === 0 && advance.state === 'settled' && row.status === 'written_off';
  if (isSettled) await changeShortfall(tx, row, { status: 'settled', closedAt: context.at }, context, 'recovered', explanation);
  else await recordShortfallEvent(tx, row, context, 'recovered', explanation, { after: { recovered_pence: recoveredAmount } });
  await sendRecoveredLetter(deps, tx, advance, row, { recovered: recoveredAmount, left: writtenOffLeft });
}

/** Call this after such a payment is reversed. The difference is written off as before, so the trader owes nothing. */
export async function followLostRecovery(deps: AppDeps, tx: Tx, advance: AdvanceRow, amount: Pence, context: Context): Promise<void> {
  const row = await findShortfallByAdvance(tx, advance.companyId, advance.id);
  if (!row) return;
  const explanation = `It turned out that ${formatPounds(amount)} wasn’t paid towards the written-off difference, so it’s written off again. ${context.reason}`;
  if (advance.state === 'written_off' && row.status === 'settled')
    await changeShortfall(tx, row, { status: 'written_off', closedAt: context.at }, context, 'recovery_reversed', explanation);
  else await recordShortfallEvent(tx, row, context, 'recovery_reversed', explanation, { after: { restored_pence: amount } });
  await sendWriteOffRestoredLetter(deps, tx, advance, row, amount);
}
