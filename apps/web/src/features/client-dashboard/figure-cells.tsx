/** Table cells shared by the parts of the client page. */
import { pence, type Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { ReactNode } from 'react';
import { periodText } from '../../lib/period-text.ts';
import { DateText } from '../../components/formats/date-text.tsx';
import { MoneyText } from '../../components/formats/money-text.tsx';
import type { Period } from './client-page.ts';
import styles from './figure-cells.module.css';
import { UNKNOWN_VALUE, type SmallColumn } from './small-table.tsx';

/** An unknown amount is shown as a dash, zero as zero. */
export const renderMoneyCell = (amount: Pence | null) => (amount === null ? UNKNOWN_VALUE : <MoneyText pence={amount} size="table" />);
export const renderDateCell = (date: PlainDate | null) => (date === null ? UNKNOWN_VALUE : <DateText date={date} style="short" />);
export const renderTextCell = (text: string | null) => text ?? UNKNOWN_VALUE;
/** A second line below a value. */
export const renderSecondLine = (text: ReactNode) => <span className={styles.secondLine}>{text}</span>;

/** Amounts that HMRC owes are negative in the API. Here a second line says so. */
function renderDirectedAmount(amount: Pence | null, refundText: string) {
  if (amount === null || amount >= 0) return renderMoneyCell(amount);
  return (
    <>
      {renderMoneyCell(pence(-amount))}
      {renderSecondLine(refundText)}
    </>
  );
}

/** A payment can be due even though its amount isn't known yet, but not for a refund. */
function renderPaymentDueCell({ payment_due_on: on, charged_pence: chargedAmount, return_state: state }: Period) {
  if (chargedAmount !== null && chargedAmount < 0) return UNKNOWN_VALUE;
  if (on === null || chargedAmount !== null || state === 'filed') return renderDateCell(on);
  return (
    <>
      {renderDateCell(on)}
      {renderSecondLine('Amount not known')}
    </>
  );
}

/** The amount left after HMRC's set-offs. "Nothing to pay" isn't the same as a credit that has been used, so zero has two texts. */
function renderOutstandingCell({ charged_pence: chargedAmount, outstanding_pence: outstandingAmount }: Period) {
  if (outstandingAmount === null) return UNKNOWN_VALUE;
  if (outstandingAmount !== 0) return renderDirectedAmount(outstandingAmount, 'HMRC owes');
  return chargedAmount !== null && chargedAmount < 0 ? 'No refund due' : 'Nothing to pay';
}

const RETURN_STATE_LABELS = { not_due: 'Not due yet', due: 'To file', overdue: 'Late', filed: 'Filed' } as const;

export function renderReturnStateCell({ return_state: state, received_on: on }: Pick<Period, 'return_state' | 'received_on'>) {
  if (state === null) return UNKNOWN_VALUE;
  return state === 'filed' && on !== null ? (
    <>
      Filed, <DateText date={on} style="short" />
    </>
  ) : (
    RETURN_STATE_LABELS[state]
  );
}

export const PERIOD_COLUMNS: readonly SmallColumn<Period>[] = [
  { title: 'Period', cell: (row) => periodText(row.start, row.end, 'short') },
  { title: 'Return due', cell: (row) => renderDateCell(row.return_due_on) },
  { title: 'Return', cell: renderReturnStateCell },
  { title: 'Payment due', cell: renderPaymentDueCell },
  { title: 'Charged', align: 'right', cell: (row) => renderDirectedAmount(row.charged_pence, 'Refund') },
  { title: 'Outstanding', align: 'right', cell: renderOutstandingCell },
];
