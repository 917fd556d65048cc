/** VAT on sales, on purchases and net, by period: one sentence, the chart, and its table one click away. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatPounds, pence, sumPence } from '@portal/domain/money.ts';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { MoneyChart } from './money-chart.tsx';
import { MoneyTable } from './money-table.tsx';

/** One year of quarters. The table shows all periods. */
const CHART_PERIODS = 4;

/** Describes the chart in one sentence. A positive net amount is owed to HMRC. */
function getSummary(chart: DashboardOutput['chart']): string {
  const filedPeriods = chart.filter((period) => period.source === 'hmrc');
  if (filedPeriods.length === 0) return 'You haven’t filed a return yet, so these figures are from your books.';
  const net = sumPence(filedPeriods.map((period) => period.net_pence));
  const span = filedPeriods.length === 1 ? 'In your last filed return' : `Over your last ${filedPeriods.length} filed returns`;
  if (net === 0) return `${span}, VAT to pay and VAT to reclaim balanced out.`;
  const amount = formatPounds(pence(Math.abs(net)));
  return net < 0 ? `${span}, HMRC owed you ${amount} in total.` : `${span}, you owed HMRC ${amount} in total.`;
}

export function MoneyCard({ data }: { data: DashboardOutput }) {
  const [showsTable, setShowsTable] = useState(false);
  // A period in progress can't be compared with complete ones.
  const periods = data.chart.filter(({ period_end }) => period_end < data.today);
  const shownPeriods = periods.slice(-CHART_PERIODS);
  if (periods.length === 0) {
    return (
      <SectionCard title="Your VAT by period">
        <Text>Your first figures appear here when your first VAT period ends.</Text>
      </SectionCard>
    );
  }
  const hasEstimates = periods.some((period) => period.source === 'books');
  return (
    <SectionCard
      title="Your VAT by period"
      aside={
        <Button variant="text" size="small" fit="flush" aria-pressed={showsTable} onClick={() => setShowsTable(!showsTable)}>
          {showsTable ? 'Show the chart' : 'Show the table'}
        </Button>
      }
      source={hasEstimates ? 'Filed returns from HMRC. Periods marked * are from your books.' : 'Filed returns from HMRC.'}
    >
      <Stack>
        <Text>{getSummary(showsTable ? periods : shownPeriods)}</Text>
        {showsTable ? <MoneyTable periods={periods} /> : <MoneyChart periods={shownPeriods} />}
      </Stack>
    </SectionCard>
  );
}
