/**
 * VAT on sales, on purchases and net, by period, as horizontal bars. Each bar has its own label, so the chart needs no legend and fits into
 * 360 px. It uses plain elements, because three bars don't justify a library.
 */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatPounds, pence, toWholePounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import clsx from 'clsx';
import type { CSSProperties } from 'react';
import styles from './money-chart.module.css';

type ChartPeriod = DashboardOutput['chart'][number];
type Bar = { readonly key: 'sales' | 'purchases' | 'net'; readonly amount: number; readonly label: string };

/** Formats whole pounds; the table also shows the pence. */
function formatPoundsText(amount: number): string {
  return formatPounds(pence(toWholePounds(pence(amount), 'half-away') * 100)).replace(/\.00$/, '');
}

function getNetLabel(net: number): string {
  if (net === 0) return 'Nothing due';
  return net < 0 ? `HMRC owes you ${formatPoundsText(-net)}` : `You owe HMRC ${formatPoundsText(net)}`;
}

function listBars({ vat_out_pence: sales, vat_in_pence: purchases, net_pence: net }: ChartPeriod): Bar[] {
  return [
    { key: 'sales', amount: sales, label: `VAT on sales ${formatPoundsText(sales)}` },
    { key: 'purchases', amount: purchases, label: `VAT on purchases ${formatPoundsText(purchases)}` },
    { key: 'net', amount: Math.abs(net), label: getNetLabel(net) },
  ];
}

/** Newest period first. The exact figures are in the table, which is easier to use with a keyboard or screen reader. */
export function MoneyChart({ periods }: { periods: readonly ChartPeriod[] }) {
  const largestAmount = Math.max(1, ...periods.flatMap((period) => [period.vat_in_pence, period.vat_out_pence]));
  return (
    <div
      className={styles.chart}
      role="img"
      aria-label="Bar chart of VAT on sales, VAT on purchases and the difference. The table has the figures."
    >
      {periods.toReversed().map((period) => (
        <div key={period.period_end}>
          <div className={styles.name}>
            To {formatDate(period.period_end, 'short')}
            {period.source === 'books' && ' *'}
          </div>
          {listBars(period).map(({ key, amount, label }) => (
            <div key={key} className={styles.bar}>
              <span
                className={clsx(styles.fill, styles[key])}
                style={{ '--share': Math.min(1, Math.max(0, amount) / largestAmount) } as CSSProperties}
              />
              <span className={clsx(key === 'net' && styles.netLabel)}>{label}</span>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
