/**
 * Sends a Direct Debit to GoCardless. Our ID is the idempotency key, so sending it again after a crash or a lost response doesn't collect
 * anything twice. Only GoCardless's own list of the mandate's payments proves that it was never created.
 */
import { mandates } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { findDirectDebit, type DirectDebitRow } from './direct-debit-record.ts';
import { getDirectDebits } from './read-mandate.ts';
import { settleDirectDebit } from './settle-direct-debit.ts';

/** GoCardless keeps idempotency keys for 30 days (developer.gocardless.com, "Idempotency keys"). */
const KEY_TTL_MS = 29 * 24 * 3_600_000;
/**
 * A creation that started before the cancellation has ended by then, because of its timeout. Until then, it may still appear in
 * GoCardless's list.
 */
const CREATION_TIMEOUT_MS = 60_000;

export async function submitDirectDebit(deps: AppDeps, companyId: string, id: string): Promise<void> {
  const debit = await findDirectDebit(deps, { companyId, id });
  if (debit?.status !== 'created') return;
  const provider = getDirectDebits(deps);
  const [mandate] = await deps.database.db
    .select({ providerMandateId: mandates.providerMandateId })
    .from(mandates)
    .where(and(eq(mandates.companyId, companyId), eq(mandates.id, debit.mandateId)));
  if (!mandate?.providerMandateId) throw new Error(`the Direct Debit ${id} has no mandate at GoCardless`);
  const order = { idempotencyKey: id, mandateId: mandate.providerMandateId };
  // A cancelled or expired order: nothing must be created, but an earlier attempt may have created it.
  const isOver = debit.cancelRequestedAt !== null || addMilliseconds(debit.createdAt, KEY_TTL_MS) < deps.clock.now();
  try {
    const directDebit = isOver
      ? await provider.findDirectDebitByKey(order)
      : await provider.createDirectDebit({
          ...order,
          amountPence: debit.amountPence,
          chargeOn: debit.chargeOn,
          description: 'VAT refund: the part HMRC didn’t repay',
        });
    // The poll will check again. Until then, a new order could be collected in addition to this one.
    if (!directDebit && canStillBeCreated(deps, debit)) return;
    // If another run has stored GoCardless's answer, the poll continues from there.
    await settleDirectDebit(deps, debit, directDebit ?? { status: 'cancelled', paymentId: null });
  } catch (error) {
    if (!(error instanceof ProviderError) || error.failure !== 'refused') throw error;
    const directDebit = await provider.findDirectDebitByKey(order);
    const refusal = {
      status: 'failed',
      paymentId: null,
      failure: error.facts.detail ?? error.facts.code ?? 'GoCardless rejected it',
    } as const;
    await settleDirectDebit(deps, debit, directDebit ?? refusal);
  }
}

function canStillBeCreated({ clock }: AppDeps, { cancelRequestedAt }: DirectDebitRow): boolean {
  return cancelRequestedAt !== null && addMilliseconds(cancelRequestedAt, CREATION_TIMEOUT_MS) > clock.now();
}

/** Cancels a Direct Debit at GoCardless if still possible. Its status afterwards is the one that GoCardless reports. */
export async function cancelDirectDebit(deps: AppDeps, companyId: string, id: string): Promise<void> {
  const debit = await findDirectDebit(deps, { companyId, id });
  if (!debit) return;
  // As far as we know it hasn't been sent. Its own job decides based on GoCardless's record.
  if (debit.providerPaymentId === null) return submitDirectDebit(deps, companyId, id);
  const isStored = await settleDirectDebit(deps, debit, await getDirectDebits(deps).cancelDirectDebit(debit.providerPaymentId));
  if (!isStored) await readAgain(deps, debit);
}

/** Reads a Direct Debit from GoCardless, after a webhook or by polling. */
export async function readDirectDebit(deps: AppDeps, debit: DirectDebitRow): Promise<void> {
  if (debit.providerPaymentId === null) return;
  const foundDebit = await getDirectDebits(deps).findDirectDebit(debit.providerPaymentId);
  if (foundDebit && !(await settleDirectDebit(deps, debit, foundDebit))) return readAgain(deps, debit);
  const isUncancelled = foundDebit?.status === 'pending_submission' && debit.cancelRequestedAt !== null;
  if (isUncancelled) await cancelDirectDebit(deps, debit.companyId, debit.id);
}

/** Another run stored an answer while this one waited for its own, which may be the older one. */
async function readAgain(deps: AppDeps, key: DirectDebitRow): Promise<void> {
  const debit = await findDirectDebit(deps, key);
  if (debit) await readDirectDebit(deps, debit);
}
