/**
 * VAT on sales, on purchases and the net by period as horizontal bars. Each bar has its own label, so the chart needs no legend and fits
 * into 360 px. It uses plain elements, because three bars don't justify a library.
 */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatPounds, pence, toWholePounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';

type ChartPeriod = DashboardOutput['chart'][number];
type Bar = {
  readonly key: 'sales' | 'purchases' | 'net';
  readonly amount: number;
  readonly name: string;
  readonly label: string;
  readonly short: string;
};

/** Formats whole pounds; the table also shows the pence. */
function poundsText(amount: number): string {
  return formatPounds(pence(toWholePounds(pence(amount), 'half-away') * 100)).replace(/\.00$/, '');
}

function periodText(period: ChartPeriod): string {
  const [, month, year] = formatDate(period.period_end, 'short').split(' ');
  return `${month} ${year}${period.source === 'books' ? ' *' : ''}`;
}

/** `short` is for phones, which only have room for one word about the direction. */
function getNetLabels({ net_pence: net }: ChartPeriod): Pick<Bar, 'label' | 'short'> {
  if (net === 0) return { label: 'Nothing either way', short: 'Nil' };
  const amount = poundsText(Math.abs(net));
  return net < 0
    ? { label: `HMRC owes you ${amount}`, short: `${amount} back` }
    : { label: `You owe ${amount}`, short: `${amount} to pay` };
}

function getBars(period: ChartPeriod): Bar[] {
  const { vat_out_pence: sales, vat_in_pence: purchases, net_pence: net } = period;
  const plain = (words: string) => ({ label: words, short: words });
  return [
    { key: 'sales', amount: sales, name: 'VAT on your sales', ...plain(`Sales ${poundsText(sales)}`) },
    { key: 'purchases', amount: purchases, name: 'VAT on your purchases', ...plain(`Purchases ${poundsText(purchases)}`) },
    { key: 'net', amount: Math.abs(net), name: 'The difference', ...getNetLabels(period) },
  ];
}

/**
 * Newest period first. The exact figures are in each bar's title and in the table, which suits keyboards and screen readers better than
 * bars.
 */
export function MoneyChart({ periods }: { periods: readonly ChartPeriod[] }) {
  const largest = Math.max(1, ...periods.flatMap((period) => [period.vat_in_pence, period.vat_out_pence]));
  return (
    <div
      className="p-chart"
      role="img"
      aria-label="Bars of VAT on sales, on purchases and their difference by period; the table has the figures"
    >
      {periods.toReversed().map((period) => (
        <div key={period.period_end} className="p-chart-period">
          <span className="p-chart-name">{periodText(period)}</span>
          <div>
            {getBars(period).map(({ key, amount, name, label, short }) => (
              <div key={key} className="p-chart-bar" title={`${name}: ${formatPounds(pence(amount))}`}>
                <span className={`is-${key}`} style={{ ['--share' as string]: Math.max(0, amount) / largest }} />
                <span className="p-chart-long">{label}</span>
                <span className="p-chart-short">{short}</span>
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
