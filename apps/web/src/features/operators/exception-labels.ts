/** Labels and wording for reconciliation exceptions and the credits behind them. */
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { formatCurrency, formatPounds, pence, sumPence, type Pence } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import type { ComponentProps } from 'react';
import { periodText } from '../../lib/period-text.ts';
import type { StateChip } from '../../ui/state-chip.tsx';

export type ReconciliationException = EndpointOutput<typeof reconciliationExceptionsApi.list>['matters'][number];
export type CompanyCredits = EndpointOutput<typeof reconciliationExceptionsApi.credits>;
export type CompanyCredit = CompanyCredits['credits'][number];
export type AllocationTarget = CompanyCredits['targets'][number];

export const EXCEPTION_CHIPS: Readonly<Record<ReconciliationException['kind'], ComponentProps<typeof StateChip>>> = {
  credit: { label: 'Unmatched payment', icon: 'help', tone: 'warning' },
  unpostable: { label: 'Not in pounds', icon: 'help', tone: 'warning' },
  shortfall: { label: 'Shortfall', icon: 'warning', tone: 'error' },
  overdue: { label: 'Late from HMRC', icon: 'clock', tone: 'error' },
  surplus: { label: 'Owed to trader', icon: 'warning', tone: 'warning' },
  direct_debit_payout: { label: 'Direct Debit payout', icon: 'warning', tone: 'error' },
  refused_payout: { label: 'Order changed outside the portal', icon: 'warning', tone: 'error' },
  account_credit: { label: 'Money on our own account', icon: 'help', tone: 'warning' },
  collection_payout: { label: 'Left a collection account', icon: 'warning', tone: 'error' },
  failed_refund: { label: 'Refund not paid', icon: 'warning', tone: 'error' },
  unrecorded_payout: { label: 'Payment without a payout order', icon: 'warning', tone: 'error' },
};

/** Describes what happened, without the company's name. */
export function describeException(exception: ReconciliationException): string {
  const amount = formatCurrency(exception.amount_pence, exception.currency);
  const problem = exception.problem === null ? '' : ` ${exception.problem}`;
  switch (exception.kind) {
    case 'credit':
      return `${amount} received from ${exception.remitter ?? 'an unnamed sender'} with reference “${exception.reference ?? ''}”.${problem} We’re holding it for the trader.`;
    case 'unpostable':
      return `${amount} reported from ${exception.remitter ?? 'an unnamed sender'} with reference “${exception.reference ?? ''}”.${problem} It isn’t in the ledger. Return it at the payments provider.`;
    case 'shortfall':
      return `${amount} of the ${formatPounds(exception.refund_pence ?? exception.amount_pence)} refund is outstanding. The trader owes us this amount.`;
    case 'overdue':
      return `${amount} was due from HMRC${exception.expected_on === null ? '' : ` by ${formatDate(exception.expected_on)}`} but hasn’t arrived.`;
    case 'direct_debit_payout':
      return `GoCardless’s payout of ${amount} with reference “${exception.reference ?? ''}”.${problem} Check it below, under “Direct Debits paid out by GoCardless”.`;
    case 'unrecorded_payout':
      return `${amount} left our account for ${exception.remitter ?? 'an unnamed account'} with reference “${exception.reference ?? ''}”, but we have no payout order for it. If a backup was restored, this payment was made after that backup. Otherwise, the bank may have reported it as failed at first.${problem}`;
    case 'account_credit':
      return `${amount} from ${exception.remitter ?? 'an unnamed sender'} with reference “${exception.reference ?? ''}” reached the account we pay from. According to the payments provider, it doesn’t return a payout. If you think it does, ask the provider which one: its return is then recorded automatically.`;
    case 'collection_payout':
      return `${amount} left this trader’s collection account for ${exception.remitter ?? 'an unnamed account'} with reference “${exception.reference ?? ''}”. The portal makes no payments from collection accounts, so someone made it at the payments provider. If no one in your team knows it, contact the provider at once.`;
    case 'refused_payout':
      return `A payout order of ${amount} to ${exception.remitter ?? 'an unnamed account'} with reference “${exception.reference ?? ''}” was changed outside the portal, so it wasn’t sent. Either someone changed the database, or this portal is missing a key. Notify the on-call team first, then discard the order. We’ll then recalculate what’s due.`;
    case 'failed_refund':
      return `The ${amount} refund of invoice ${exception.reference ?? ''} wasn’t paid.${problem}`;
    case 'surplus':
      return `We owe the trader ${amount}.${exception.in_flight_pence > 0 ? ` Another ${formatPounds(exception.in_flight_pence)} is being paid.` : ''}${problem}`;
  }
}

export function describeTarget(target: AllocationTarget): string {
  return `Refund for ${periodText(target.period_start, target.period_end)}`;
}

/** Describes what a credit pays, for example "£300.00 to the refund for 1 July to 30 September 2026, £20.00 to the trader". */
export function describeAllocations({ credits, targets }: CompanyCredits, creditId: string): string {
  const credit = credits.find(({ credit_id }) => credit_id === creditId);
  const parts = credit?.allocations.map(({ advance_id, amount_pence }) => {
    const target = targets.find((item) => item.advance_id === advance_id);
    const owner =
      advance_id === null ? 'the trader' : target ? `the refund for ${periodText(target.period_start, target.period_end)}` : 'an advance';
    return `${formatPounds(amount_pence)} to ${owner}`;
  });
  if (credit?.returned_at) return 'Returned to its sender';
  const returnedTexts = credit && credit.returned_pence > 0 ? [`${formatPounds(credit.returned_pence)} returned to its sender`] : [];
  const allTexts = [...(parts ?? []), ...returnedTexts];
  return allTexts.length === 0 ? 'Not matched' : allTexts.join(', ');
}

/** The amounts that an operator enters: by advance ID, and for the trader under `TRADER`. */
export type Amounts = Readonly<Record<string, Pence | undefined>>;
export const TRADER = 'trader';

/** Returns the part of a credit that hasn't been returned to its sender. */
function getAvailableCredit(credit: CompanyCredit): Pence {
  return pence(credit.amount_pence - credit.returned_pence);
}

/** Returns what would be outstanding on an advance without this credit. */
export function getFreeOutstanding(target: AllocationTarget, credit: CompanyCredit): Pence {
  const targetAllocations = credit.allocations.filter(({ advance_id }) => advance_id === target.advance_id);
  return sumPence([target.outstanding_pence, ...targetAllocations.map(({ amount_pence }) => amount_pence)]);
}

/** Describes the balance, for example "£300.00 outstanding.", or what a payment does to a write-off. */
export function describeOutstanding(target: AllocationTarget, credit: CompanyCredit): string {
  const freeAmount = formatPounds(getFreeOutstanding(target, credit));
  const writtenOff = getFreeWrittenOff(target, credit);
  if (writtenOff === 0) return `${freeAmount} outstanding.`;
  const part =
    writtenOff === getFreeOutstanding(target, credit)
      ? `${freeAmount} written off.`
      : `${freeAmount}, of which ${formatPounds(writtenOff)} is written off.`;
  return `${part} Matching a payment to it reverses the write-off.`;
}

/** Returns how much of an advance would be written off if this credit didn't pay it. */
function getFreeWrittenOff(target: AllocationTarget, credit: CompanyCredit): Pence {
  const targetAllocations = credit.allocations.filter(({ advance_id }) => advance_id === target.advance_id);
  return sumPence([target.written_off_pence, ...targetAllocations.map(({ recovered_pence }) => recovered_pence)]);
}

/** Returns the credit's current allocation or, if it is unmatched and only one advance is possible, a match with that advance. */
export function suggestAmounts(credit: CompanyCredit, targets: readonly AllocationTarget[]): Amounts {
  if (credit.allocations.length > 0) {
    return Object.fromEntries(credit.allocations.map(({ advance_id, amount_pence }) => [advance_id ?? TRADER, amount_pence]));
  }
  const [onlyTarget] = targets;
  if (!onlyTarget || targets.length > 1) return {};
  const appliedAmount = pence(Math.min(getAvailableCredit(credit), onlyTarget.outstanding_pence));
  const remainingAmount = pence(getAvailableCredit(credit) - appliedAmount);
  return { [onlyTarget.advance_id]: appliedAmount, ...(remainingAmount > 0 ? { [TRADER]: remainingAmount } : {}) };
}

/** Returns why the amounts can't be requested, or undefined if they can. */
export function findAmountsError(credit: CompanyCredit, targets: readonly AllocationTarget[], amounts: Amounts): string | undefined {
  const total = sumPence(Object.values(amounts).map((amount) => amount ?? pence(0)));
  if (total > getAvailableCredit(credit))
    return `The amounts add up to ${formatPounds(total)}, but ${credit.returned_pence > 0 ? 'the amount not returned' : 'the payment'} is ${formatPounds(getAvailableCredit(credit))}.`;
  const overpaidTarget = targets.find((target) => (amounts[target.advance_id] ?? 0) > getFreeOutstanding(target, credit));
  return (
    overpaidTarget && `${describeTarget(overpaidTarget)}: only ${formatPounds(getFreeOutstanding(overpaidTarget, credit))} is outstanding.`
  );
}

/** Returns why a match can't be requested: either the amounts are wrong, or it is already the current match. */
export function findMatchProblem(credit: CompanyCredit, targets: readonly AllocationTarget[], amounts: Amounts): string | undefined {
  if (findAmountsError(credit, targets, amounts) !== undefined) return 'Correct the amounts above.';
  const newAllocations = toAllocations(amounts);
  const isSame =
    newAllocations.length === credit.allocations.length &&
    newAllocations.every(({ advance_id, amount_pence }) =>
      credit.allocations.some((now) => now.advance_id === advance_id && now.amount_pence === amount_pence),
    );
  if (!isSame) return undefined;
  return newAllocations.length === 0 ? 'Enter at least one amount.' : 'You haven’t changed the match yet.';
}

/** Describes the effects of the amounts as sentences. */
export function describeEffects(credit: CompanyCredit, targets: readonly AllocationTarget[], amounts: Amounts): string[] {
  const effects = targets.flatMap((target) => {
    const amount = amounts[target.advance_id] ?? 0;
    const wasPaid = credit.allocations.some(({ advance_id }) => advance_id === target.advance_id);
    const missingAmount = pence(getFreeOutstanding(target, credit) - amount);
    const writtenOff = pence(Math.min(missingAmount, getFreeWrittenOff(target, credit)));
    const owedAmount = pence(missingAmount - writtenOff);
    const stayingEmail =
      writtenOff > 0 ? [`${formatPounds(writtenOff)} ${amount === 0 ? 'is written off again' : 'stays written off'}`] : [];
    if (amount === 0) {
      const reopenedTexts = [...(owedAmount > 0 ? ['this amount will be outstanding again'] : []), ...stayingEmail];
      return wasPaid ? [`${describeTarget(target)}: ${reopenedTexts.join(', ')}.`] : [];
    }
    const remainingTexts = [...(owedAmount > 0 ? [`the trader will still owe ${formatPounds(owedAmount)}`] : []), ...stayingEmail];
    return [`${describeTarget(target)}: ${remainingTexts.length === 0 ? 'settled' : remainingTexts.join(', ')}.`];
  });
  const remainingAmount = pence(getAvailableCredit(credit) - sumPence(Object.values(amounts).map((amount) => amount ?? pence(0))));
  const toTrader = amounts[TRADER] ?? 0;
  return [
    ...effects,
    ...(toTrader > 0 ? [`${formatPounds(pence(toTrader))} belongs to the trader and can be paid out.`] : []),
    ...(remainingAmount > 0 ? [`${formatPounds(remainingAmount)} remains unmatched.`] : []),
  ];
}

/** Converts the amounts to request input. */
export function toAllocations(amounts: Amounts): { advance_id: string | null; amount_pence: Pence }[] {
  return Object.entries(amounts).flatMap(([owner, amount]) =>
    amount === undefined || amount === 0 ? [] : [{ advance_id: owner === TRADER ? null : owner, amount_pence: amount }],
  );
}
