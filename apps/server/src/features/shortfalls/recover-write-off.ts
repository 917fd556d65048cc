/** Keeps a case in step with money that arrived after its difference was written off. Postings are in advances/allocate-credit.ts. */
import type { Tx } from '@portal/db/database.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { AdvanceRow, TransitionContext } from '../advances/transition-advance.ts';
import { sumWrittenOff } from '../advances/written-off.ts';
import { sendRecovered, sendWriteOffRestored } from './recovery-letters.ts';
import { changeShortfall, findShortfallOfAdvance, recordShortfallEvent } from './shortfall-record.ts';

type Context = TransitionContext & { readonly reason: string };

/** Call this after the payment is allocated. The case is settled once no write-off remains. */
export async function followRecovery(deps: AppDeps, tx: Tx, advance: AdvanceRow, recovered: Pence, context: Context): Promise<void> {
  const row = await findShortfallOfAdvance(tx, advance.companyId, advance.id);
  if (!row) return;
  const left = await sumWrittenOff(tx, advance.companyId, advance.id);
  const rest = left > 0 ? `${formatPounds(left)} remains written off.` : 'Nothing is written off any more.';
  const text = `${formatPounds(recovered)} that was written off has been recovered. ${rest} ${context.reason}`;
  const isSettled = left === 0 && advance.state === 'settled' && row.status === 'written_off';
  if (isSettled) await changeShortfall(tx, row, { status: 'settled', closedAt: context.at }, context, 'recovered', text);
  else await recordShortfallEvent(tx, row, context, 'recovered', text, { after: { recovered_pence: recovered } });
  await sendRecovered(deps, tx, advance, row, { recovered, left });
}

/** Call this after such a payment is reversed. The difference is written off as before, so the trader owes nothing. */
export async function followLostRecovery(deps: AppDeps, tx: Tx, advance: AdvanceRow, amount: Pence, context: Context): Promise<void> {
  const row = await findShortfallOfAdvance(tx, advance.companyId, advance.id);
  if (!row) return;
  const text = `It turned out that ${formatPounds(amount)} wasn’t paid towards the written-off difference, so it’s written off again. ${context.reason}`;
  if (advance.state === 'written_off' && row.status === 'settled')
    await changeShortfall(tx, row, { status: 'written_off', closedAt: context.at }, context, 'recovery_reversed', text);
  else await recordShortfallEvent(tx, row, context, 'recovery_reversed', text, { after: { restored_pence: amount } });
  await sendWriteOffRestored(deps, tx, advance, row, amount);
}
