/** VAT on sales and on purchases by period as lying bars, each labelled where it ends, so that no legend is needed and 360 px suffice. Loaded lazily. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useTheme } from '@mui/material/styles';
import { BarChart } from '@mui/x-charts/BarChart';

export type ChartPeriod = DashboardOutput['chart'][number];

const ROW_HEIGHT_PX = 64;

/** "£12,340 back" under the month: the net with its direction, in whole pounds because the table has the pence. */
function netWords(period: ChartPeriod): string {
  const pounds = formatPounds(pence(Math.abs(Math.trunc(period.net_pence / 100)) * 100)).replace(/\.00$/, '');
  if (period.net_pence === 0) return 'nil';
  return period.net_pence < 0 ? `${pounds} back` : `${pounds} to pay`;
}

function periodWords(period: ChartPeriod): string {
  const [, month, year] = formatDate(period.period_end, 'short').split(' ');
  return `${month} ${year}${period.source === 'books' ? ' *' : ''}`;
}

export default function MoneyChart({ periods }: { periods: readonly ChartPeriod[] }) {
  const { vars } = useTheme();
  const newestFirst = periods.toReversed();
  const largest = Math.max(1, ...newestFirst.flatMap((period) => [period.vat_in_pence, period.vat_out_pence]));
  const label = (name: string) => (item: { value: number | null }) =>
    `${name} ${formatPounds(pence(item.value ?? 0)).replace(/\.\d\d$/, '')}`;
  return (
    <BarChart
      layout="horizontal"
      hideLegend
      skipAnimation
      height={newestFirst.length * ROW_HEIGHT_PX + 8}
      margin={{ top: 4, bottom: 4, left: 0, right: 0 }}
      yAxis={[
        {
          scaleType: 'band',
          data: newestFirst.map((period) => `${periodWords(period)}\n${netWords(period)}`),
          width: 104,
          disableLine: true,
          disableTicks: true,
          categoryGapRatio: 0.32,
          tickLabelStyle: { fontSize: 13 },
        },
      ]}
      // The room right of the longest bar is for its label.
      xAxis={[{ min: 0, max: largest * 2.1, position: 'none' }]}
      series={[
        {
          data: newestFirst.map((period) => period.vat_out_pence),
          label: 'VAT on your sales',
          color: vars?.palette.info.main ?? '#6D83A3',
          barLabel: label('Sales'),
          barLabelPlacement: 'outside',
          valueFormatter: (value) => formatPounds(pence(value ?? 0)),
        },
        {
          data: newestFirst.map((period) => period.vat_in_pence),
          label: 'VAT on your purchases',
          color: vars?.palette.success.main ?? '#079E8D',
          barLabel: label('Purchases'),
          barLabelPlacement: 'outside',
          valueFormatter: (value) => formatPounds(pence(value ?? 0)),
        },
      ]}
      slotProps={{ barLabel: { style: { fontSize: 13, textAnchor: 'start', fill: 'var(--mui-palette-text-primary)' } } }}
    />
  );
}
