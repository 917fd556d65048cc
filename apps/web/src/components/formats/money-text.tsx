import { formatPounds, type Pence } from '@portal/domain/money.ts';
import clsx from 'clsx';
import styles from './money-text.module.css';

/** "table" is for dense tables, "figure" for the main number of a card. */
export type MoneySize = 'table' | 'body' | 'heading' | 'figure';

/** An amount such as "−£1,234.50", with tabular figures and without line breaks. */
export function MoneyText({ pence, size = 'body' }: { pence: Pence; size?: MoneySize }) {
  return <span className={clsx(styles.money, styles[size])}>{formatPounds(pence)}</span>;
}
