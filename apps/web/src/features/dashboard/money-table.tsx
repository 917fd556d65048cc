/** The chart's figures to the penny, newest first. */
import { formatDate } from '@portal/domain/plain-date.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { TOO_NARROW_FOR_TABLE, useMediaQuery } from '../../lib/use-media-query.ts';
import { StackedAmounts } from '../../ui/stacked-amounts.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';

type ChartPeriod = DashboardOutput['chart'][number];

function getNetLabel({ net_pence: net }: ChartPeriod): string {
  if (net === 0) return 'Nothing due';
  return net < 0 ? 'HMRC owes you' : 'You owe HMRC';
}

const getTitle = ({ period_end, source }: ChartPeriod): string => `${formatDate(period_end, 'short')}${source === 'books' ? ' *' : ''}`;

export function MoneyTable({ periods }: { periods: readonly ChartPeriod[] }) {
  // Next to the list of returns, four columns only fit on wide screens.
  const isNarrow = useMediaQuery(TOO_NARROW_FOR_TABLE);
  return isNarrow ? <PeriodStacks periods={periods} /> : <Rows periods={periods} />;
}

function PeriodStacks({ periods }: { periods: readonly ChartPeriod[] }) {
  const stacks = periods.toReversed().map((period) => ({
    key: period.period_end,
    title: getTitle(period),
    lines: [
      { name: 'VAT on sales', value: formatPounds(period.vat_out_pence) },
      { name: 'VAT on purchases', value: formatPounds(period.vat_in_pence) },
      { name: getNetLabel(period), value: formatPounds(pence(Math.abs(period.net_pence))), strong: true },
    ],
  }));
  return <StackedAmounts stacks={stacks} label="VAT by period" />;
}

function Rows({ periods }: { periods: readonly ChartPeriod[] }) {
  return (
    <Table label="VAT by period" dense flush>
      <TableHead columns={['Period to', { numeric: 'On sales' }, { numeric: 'On purchases' }, { numeric: 'Difference' }]} />
      <tbody>
        {periods.toReversed().map((period) => (
          <tr key={period.period_end}>
            <th scope="row" data-nowrap>
              {getTitle(period)}
            </th>
            <td data-numeric>{formatPounds(period.vat_out_pence)}</td>
            <td data-numeric>{formatPounds(period.vat_in_pence)}</td>
            <td data-numeric>
              {formatPounds(pence(Math.abs(period.net_pence)))}
              <Text size="small" tone="quiet">
                {getNetLabel(period)}
              </Text>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
