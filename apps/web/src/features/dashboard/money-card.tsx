/** VAT on sales, on purchases and the net, by period: one sentence, the chart, and its table one click away. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatPounds, pence, sumPence } from '@portal/domain/money.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { lazy, Suspense, useState } from 'react';
import { FLUSH_LEFT } from '../../ui/flush-left.ts';
import { SectionCard } from '../../ui/section-card.tsx';
import { MoneyTable } from './money-table.tsx';

const MoneyChart = lazy(() => import('./money-chart.tsx').then((file) => ({ default: file.MoneyChart })));

/** Three bars with their labels and the gap to the next period. */
const CHART_ROW_PX = 88;

/** More rows than these make the chart longer than a phone; the table has them all. */
const CHART_PERIODS = 6;

/** The chart's one message. Net: positive = owed to HMRC. */
function message(chart: DashboardOutput['chart']): string {
  const filed = chart.filter((period) => period.source === 'hmrc');
  if (filed.length === 0) return 'No return is filed yet, so this shows your books only.';
  const net = sumPence(filed.map((period) => period.net_pence));
  const span = filed.length === 1 ? 'In the last filed return' : `Over the last ${filed.length} filed returns`;
  if (net === 0) return `${span}, VAT in and VAT out were equal.`;
  const amount = formatPounds(pence(Math.abs(net)));
  return net < 0 ? `${span}, HMRC owed you ${amount} in all.` : `${span}, you owed HMRC ${amount} in all.`;
}

export function MoneyCard({ data }: { data: DashboardOutput }) {
  const [asTable, setAsTable] = useState(false);
  const { chart } = data;
  const shown = chart.slice(-CHART_PERIODS);
  if (chart.length === 0) {
    return (
      <SectionCard title="Your VAT by period">
        <Typography>The first figures appear here when HMRC is connected or your books are added.</Typography>
      </SectionCard>
    );
  }
  return (
    <SectionCard
      title="Your VAT by period"
      aside={
        <Button variant="text" size="small" sx={FLUSH_LEFT} aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show the chart' : 'Show the table'}
        </Button>
      }
      source={
        chart.some((period) => period.source === 'books')
          ? 'Filed returns from HMRC; * estimated from your books.'
          : 'Filed returns from HMRC.'
      }
    >
      <Typography sx={{ mb: 2 }}>{message(chart)}</Typography>
      {asTable ? (
        <MoneyTable periods={chart} />
      ) : (
        <>
          {shown.length < chart.length ? (
            <Typography variant="body2" sx={{ mb: 1, color: 'text.secondary' }}>
              The newest {shown.length} of {chart.length} periods; the table has all.
            </Typography>
          ) : null}
          <Suspense fallback={<ChartSkeleton rows={shown.length} />}>
            <Box role="img" aria-label="Bars of VAT on sales, on purchases and their difference by period; the table has the figures">
              <MoneyChart periods={shown} rowHeight={CHART_ROW_PX} />
            </Box>
          </Suspense>
        </>
      )}
    </SectionCard>
  );
}

/** Faint bars where the real ones come, in the chart's height, so that nothing moves. */
function ChartSkeleton({ rows }: { rows: number }) {
  return (
    <Box aria-hidden sx={{ height: rows * CHART_ROW_PX }}>
      {Array.from({ length: rows }, (_, row) => (
        <Box key={row} sx={{ height: CHART_ROW_PX, pl: '80px', display: 'grid', alignContent: 'center', gap: 0.5 }}>
          {['45%', '30%', '15%'].map((width) => (
            <Skeleton key={width} variant="rectangular" animation={false} width={width} height={14} sx={{ opacity: 0.5 }} />
          ))}
        </Box>
      ))}
    </Box>
  );
}
