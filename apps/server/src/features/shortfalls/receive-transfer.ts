/** A bank transfer that quotes a shortfall's reference pays it, without an operator. */
import type { Tx } from '@portal/db/database.ts';
import { settleCredit } from '@portal/domain/advances/settle-credit.ts';
import { postMatchedCredit } from '@portal/domain/ledger/ledger.ts';
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';
import { hasReference } from '@portal/domain/shortfalls/payment-reference.ts';
import type { AppDeps } from '../../app-deps.ts';
import { lockAdvance, type AdvanceRow, type TransitionContext } from '../advances/transition-advance.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { cancelSuperfluousDirectDebit } from './cancel-direct-debit.ts';
import { getOwed } from './shortfall-record.ts';
import { listOwing, moveByBalance, syncShortfall } from './sync-shortfall.ts';

/** The locked advance of the open case whose reference the payer quoted. The caller holds the company's lock. */
export async function findAdvanceByReference(tx: Tx, companyId: string, text: string): Promise<AdvanceRow | undefined> {
  const owing = await listOwing(tx, companyId);
  const quoted = owing.filter(({ reference }) => hasReference(text, reference));
  const [only] = quoted;
  return only && quoted.length === 1 ? lockAdvance(tx, companyId, only.advanceId) : undefined;
}

/**
 * Applies a transfer that was stored and posted as owed to the trader and whose row names the advance. `owedBefore`: what was owed before
 * it was stored. Anything above that stays owed to the trader.
 */
export async function applyTransfer(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  transfer: { readonly amount: Pence; readonly transactionId: string; readonly owedBefore: Pence },
  context: TransitionContext,
): Promise<void> {
  const { state } = advance;
  if (state !== 'shortfall' && state !== 'collecting') return;
  const received = pence(advance.refundPence - transfer.owedBefore);
  const { applied } = settleCredit(transfer.amount, { state, refund: advance.refundPence, received });
  if (applied > 0) {
    await postToLedger(tx, {
      companyId: advance.companyId,
      idempotencyKey: `shortfall-transfer:${transfer.transactionId}`,
      description: `Bank transfer of ${formatPounds(transfer.amount)} by the trader: ${formatPounds(applied)} pays the difference`,
      postedAt: context.at,
      lines: postMatchedCredit(applied, 'due_from_trader'),
    });
  }
  const moved = await moveByBalance(tx, advance, context, `The trader paid ${formatPounds(applied)} by bank transfer.`);
  const shortfall = await syncShortfall(deps, tx, moved, context, applied);
  if (shortfall) await cancelSuperfluousDirectDebit(deps, tx, shortfall, await getOwed(tx, moved));
}
