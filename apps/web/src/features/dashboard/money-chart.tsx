/** VAT on sales, on purchases and the net by period as lying bars, each labelled where it ends: no legend is needed and 360 px suffice. Loaded lazily. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatPounds, pence, toWholePounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { BarChart } from '@mui/x-charts/BarChart';

type ChartPeriod = DashboardOutput['chart'][number];

/** Whole pounds, because the table has the pence. */
function poundsText(amount: number): string {
  return formatPounds(pence(toWholePounds(pence(amount), 'half-away') * 100)).replace(/\.00$/, '');
}

function periodText(period: ChartPeriod): string {
  const [, month, year] = formatDate(period.period_end, 'short').split(' ');
  return `${month} ${year}${period.source === 'books' ? ' *' : ''}`;
}

/** On a phone there is no room for more than the direction's one word. */
function netText(period: ChartPeriod | undefined, narrow: boolean): string {
  if (!period || period.net_pence === 0) return narrow ? 'Nil' : 'Nothing either way';
  const amount = poundsText(Math.abs(period.net_pence));
  if (narrow) return period.net_pence < 0 ? `${amount} back` : `${amount} to pay`;
  return period.net_pence < 0 ? `HMRC owes you ${amount}` : `You owe ${amount}`;
}

export function MoneyChart({ periods, rowHeight }: { periods: readonly ChartPeriod[]; rowHeight: number }) {
  const { vars, breakpoints } = useTheme();
  const narrow = useMediaQuery(breakpoints.down('sm'));
  const newestFirst = periods.toReversed();
  const largest = Math.max(1, ...newestFirst.flatMap((period) => [period.vat_in_pence, period.vat_out_pence]));
  const exact = (value: number | null): string => formatPounds(pence(value ?? 0));
  const palette = vars?.palette;
  return (
    <BarChart
      layout="horizontal"
      hideLegend
      skipAnimation
      // The same figures are in the table, which a keyboard and a screen reader read better than bars.
      disableKeyboardNavigation
      height={newestFirst.length * rowHeight}
      margin={{ top: 0, bottom: 0, left: 0, right: 0 }}
      yAxis={[
        {
          scaleType: 'band',
          data: newestFirst.map(periodText),
          width: 80,
          disableLine: true,
          disableTicks: true,
          categoryGapRatio: 0.3,
          tickLabelStyle: { fontSize: 13 },
        },
      ]}
      // The room right of the longest bar is for its label.
      xAxis={[{ min: 0, max: largest * (narrow ? 2.5 : 1.7), position: 'none' }]}
      series={[
        {
          data: newestFirst.map((period) => period.vat_out_pence),
          label: 'VAT on your sales',
          color: palette?.info.main ?? '#6D83A3',
          barLabel: ({ value }) => `Sales ${poundsText(value ?? 0)}`,
          barLabelPlacement: 'outside',
          valueFormatter: exact,
        },
        {
          data: newestFirst.map((period) => period.vat_in_pence),
          label: 'VAT on your purchases',
          color: palette?.success.main ?? '#079E8D',
          barLabel: ({ value }) => `Purchases ${poundsText(value ?? 0)}`,
          barLabelPlacement: 'outside',
          valueFormatter: exact,
        },
        {
          data: newestFirst.map((period) => Math.abs(period.net_pence)),
          label: 'The difference',
          color: palette?.primary.main ?? '#8655FF',
          barLabel: ({ dataIndex }) => netText(newestFirst[dataIndex], narrow),
          barLabelPlacement: 'outside',
          valueFormatter: exact,
        },
      ]}
      slotProps={{ barLabel: { style: { fontSize: 13, textAnchor: 'start', fill: 'var(--mui-palette-text-primary)' } } }}
    />
  );
}
