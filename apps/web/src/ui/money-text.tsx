import './plain.css';
import { formatPounds, type Pence } from '@portal/domain/money.ts';

/** "table" fits dense tables, "figure" is the number a card is about. */
export type MoneySize = 'table' | 'body' | 'heading' | 'figure';

const SIZES: Readonly<Record<MoneySize, { fontSize: string; fontWeight: number }>> = {
  table: { fontSize: '0.875rem', fontWeight: 400 },
  body: { fontSize: 'inherit', fontWeight: 500 },
  heading: { fontSize: '1.5rem', fontWeight: 600 },
  figure: { fontSize: '2rem', fontWeight: 600 },
};

/** An amount of money: "-£1,234.50", figures of one width, never broken over lines. */
export function MoneyText({ pence, size = 'body' }: { pence: Pence; size?: MoneySize }) {
  return (
    <span className="p-money" style={SIZES[size]}>
      {formatPounds(pence)}
    </span>
  );
}
