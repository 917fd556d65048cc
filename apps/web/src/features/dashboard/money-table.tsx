/** The chart's figures to the penny, newest first. */
import { formatDate } from '@portal/domain/plain-date.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { TOO_NARROW_FOR_TABLE, useMediaQuery } from '../../lib/use-media-query.ts';
import { MoneyText } from '../../ui/money-text.tsx';
import { StackedAmounts } from '../../ui/stacked-amounts.tsx';

type ChartPeriod = DashboardOutput['chart'][number];

function getNetLabel({ net_pence: net }: ChartPeriod): string {
  if (net === 0) return 'Nothing either way';
  return net < 0 ? 'HMRC owes you' : 'You owe HMRC';
}

export function MoneyTable({ periods }: { periods: readonly ChartPeriod[] }) {
  // Next to the list of returns, four columns only fit on wide screens.
  const narrow = useMediaQuery(TOO_NARROW_FOR_TABLE);
  return narrow ? <Stacks periods={periods} /> : <Rows periods={periods} />;
}

function Stacks({ periods }: { periods: readonly ChartPeriod[] }) {
  const stacks = periods.toReversed().map((period) => ({
    key: period.period_end,
    title: `${formatDate(period.period_end, 'short')}${period.source === 'books' ? ' *' : ''}`,
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
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls must be reachable by keyboard (axe, scrollable-region-focusable).
    <div className="p-table-box" tabIndex={0} role="region" aria-label="VAT by period, table">
      <table className="p-table is-small">
        <thead>
          <tr>
            <th scope="col">Period to</th>
            <th scope="col" className="is-amount">
              VAT on sales
            </th>
            <th scope="col" className="is-amount">
              VAT on purchases
            </th>
            <th scope="col" className="is-amount">
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {periods.toReversed().map((period) => (
            <tr key={period.period_end}>
              <th scope="row">
                {formatDate(period.period_end, 'short')}
                {period.source === 'books' ? ' *' : ''}
              </th>
              <td className="is-amount">
                <MoneyText pence={period.vat_out_pence} size="table" />
              </td>
              <td className="is-amount">
                <MoneyText pence={period.vat_in_pence} size="table" />
              </td>
              <td className="is-amount">
                <MoneyText pence={pence(Math.abs(period.net_pence))} size="table" />
                <div className="p-quiet">{getNetLabel(period)}</div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
