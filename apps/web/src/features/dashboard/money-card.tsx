/** VAT on sales, on purchases and the net, by period: one sentence, the chart, and its table one click away. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatPounds, pence, sumPence } from '@portal/domain/money.ts';
import { useState } from 'react';
import { PlainButton } from '../../ui/plain-button.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { MoneyChart } from './money-chart.tsx';
import { MoneyTable } from './money-table.tsx';

/** More periods would make the chart taller than a phone's screen. The table shows them all. */
const CHART_PERIODS = 6;

/** The chart in one sentence. Net: positive = owed to HMRC. */
function getSummary(chart: DashboardOutput['chart']): string {
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
        <p className="p-text">The first figures appear here when HMRC is connected or your books are added.</p>
      </SectionCard>
    );
  }
  return (
    <SectionCard
      title="Your VAT by period"
      aside={
        <PlainButton variant="text" size="small" fit="flush" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show the chart' : 'Show the table'}
        </PlainButton>
      }
      source={
        chart.some((period) => period.source === 'books')
          ? 'Filed returns from HMRC; * estimated from your books.'
          : 'Filed returns from HMRC.'
      }
    >
      <p className="p-dash-sum">{getSummary(chart)}</p>
      {asTable ? (
        <MoneyTable periods={chart} />
      ) : (
        <>
          {shown.length < chart.length ? (
            <p className="p-dash-newest p-small p-quiet">
              The newest {shown.length} of {chart.length} periods; the table has all.
            </p>
          ) : null}
          <MoneyChart periods={shown} />
        </>
      )}
    </SectionCard>
  );
}
