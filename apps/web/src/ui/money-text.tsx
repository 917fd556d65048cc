import './plain.css';
import { formatPounds, type Pence } from '@portal/domain/money.ts';

/** "table" is for dense tables, "figure" for the main number of a card. */
export type MoneySize = 'table' | 'body' | 'heading' | 'figure';

const SIZES: Readonly<Record<MoneySize, { fontSize: string; fontWeight: number }>> = {
  table: { fontSize: '0.875rem', fontWeight: 400 },
  body: { fontSize: 'inherit', fontWeight: 500 },
  heading: { fontSize: '1.5rem', fontWeight: 600 },
  figure: { fontSize: '2rem', fontWeight: 600 },
};

/** An amount such as "−£1,234.50", with tabular figures and without line breaks. */
export function MoneyText({ pence, size = 'body' }: { pence: Pence; size?: MoneySize }) {
  return (
    <span className="p-money" style={SIZES[size]}>
      {formatPounds(pence)}
    </span>
  );
}
