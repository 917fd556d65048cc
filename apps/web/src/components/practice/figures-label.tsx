/**
 * Describes what is known about a client's amounts. Figures that have never been read, or are partly read or old, must not look like
 * “nothing owed” or like each other (domain/positions/figures-state.ts).
 */
import type { FiguresFields } from '@portal/contract/figures.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { describeFigures, hasAmounts, isIncomplete, type FiguresState } from '@portal/domain/positions/figures-state.ts';
import type { ClientAttention } from '@portal/domain/positions/summarise-client.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { NEED_LABELS } from '../../lib/client-labels.ts';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './figures-label.module.css';

/** A client's figures from the list or the profile. For a single tax, `taxes` contains only that tax. */
export type ClientFigures = FiguresFields & { readonly taxes: readonly Tax[] };

/** Returns for example "Not updated yet", "VAT only: PAYE not updated yet" or "Updated 12 Nov 2026, 10 days ago". */
export function describeFigureState(
  { figures_state: state, taxes, unread_taxes: unreadTaxes, as_of: asOf, refresh_failed: hasFailed }: ClientFigures,
  today: PlainDate,
): string {
  return describeFigures({ state, taxes, unreadTaxes, asOf, hasFailed }, today);
}

/** The state of a client's figures as quiet text. */
export function FiguresLabel({ figures, today }: { figures: ClientFigures; today: PlainDate }) {
  return (
    <Text as="span" size="small" tone="quiet">
      {describeFigureState(figures, today)}
    </Text>
  );
}

/** Returns an amount in words: "Not updated yet", "Partly known", "At least £120.00", "Nil" or "£120.00". “Nil” requires that every tax was read. */
export function formatKnownAmount(amount: Pence | null, state: FiguresState): string {
  if (amount === null || !hasAmounts(state)) return state === 'no_taxes' ? 'No taxes' : 'Not updated yet';
  if (isIncomplete(state)) return amount === 0 ? 'Partly known' : `At least ${formatPounds(amount)}`;
  return amount === 0 ? 'Nil' : formatPounds(amount);
}

/** A table cell for an amount. Muted if the amount is zero or unknown. */
export function KnownAmount({ amount, state }: { amount: Pence | null; state: FiguresState }) {
  const isQuiet = amount === null || amount === 0 || !hasAmounts(state);
  return <span className={isQuiet ? styles.quiet : styles.amount}>{formatKnownAmount(amount, state)}</span>;
}

/** Returns for example "Owes £1,200.00, £300.00 overdue", "Owes nothing" (only if every tax was read) or "Not updated yet". */
export function formatOwedAmounts(
  figures: ClientFigures & { readonly owed_pence: Pence | null; readonly overdue_pence: Pence | null; readonly refund_pence: Pence | null },
  today: PlainDate,
): string {
  const { figures_state: state, owed_pence: owedAmount, overdue_pence: overdueAmount, refund_pence: refund } = figures;
  if (owedAmount === null || overdueAmount === null || refund === null) return describeFigureState(figures, today);
  const parts = [
    owedAmount > 0 ? `Owes ${isIncomplete(state) ? 'at least ' : ''}${formatPounds(owedAmount)}` : '',
    overdueAmount > 0 ? `${formatPounds(overdueAmount)} overdue` : '',
    refund > 0 ? `${formatPounds(refund)} refund due` : '',
  ].filter((part) => part !== '');
  const amounts = parts.length > 0 ? parts.join(', ') : isIncomplete(state) ? '' : 'Nothing owed';
  return state === 'current' ? amounts : [amounts, describeFigureState(figures, today)].filter((part) => part !== '').join('. ');
}

/** "Nothing due" is only certain if every tax has been read: even calculated dates can be missing, for example without a year end. */
export function describeNothingDue(state: FiguresState): string {
  if (state === 'no_taxes') return 'No due dates';
  return hasAmounts(state) && !isIncomplete(state) ? 'Nothing due' : 'Date not known';
}

/** The state in few words, for a column of a table. */
const SHORT_STATES: Readonly<Record<FiguresState, string>> = {
  no_taxes: 'No taxes',
  unread: 'Not updated yet',
  partial: 'Partly known',
  stale: 'Out of date',
  current: 'No action needed',
};

type NeedChipProps = { figures: ClientFigures; attention: ClientAttention; today: PlainDate; isShort?: boolean };

/** Shows why a client needs attention. "No action needed" is shown only with complete and recent figures. */
export function NeedChip({ figures, attention, today, isShort = false }: NeedChipProps) {
  const isUnclear = (attention === 'none' && figures.figures_state !== 'current') || attention === 'no_data';
  if (!isUnclear) return <StateChip {...NEED_LABELS[attention]} />;
  const sentence = describeFigureState(figures, today);
  return <StateChip label={isShort ? SHORT_STATES[figures.figures_state] : sentence} title={sentence} icon="info" tone="info" />;
}
