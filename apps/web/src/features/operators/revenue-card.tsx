/** Revenue by month from our invoices and credit notes: bars with the net amounts, and the table with everything. */
import { BILLING_EXPORT_PATH } from '@portal/contract/billing.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import { formatPounds } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './revenue-card.module.css';

type Revenue = EndpointOutput<typeof operatorBillingApi.revenue>;
type Month = Revenue['months'][number];

const SPANS = ['6', '24', '36'].map((months) => ({ value: months, label: `Last ${months} months` }));

export function RevenueCard() {
  const { filters, change } = useUrlFilters(['view', 'months']);
  const months = SPANS.some(({ value }) => value === filters.months) ? Number(filters.months) : 12;
  const query = useQuery(apiQuery(operatorBillingApi.revenue, { months }));
  return (
    <LoadState query={query}>
      {(data) => (
        <Stack gap={24}>
          <SectionCard
            title="Revenue by month"
            aside={
              <FilterPill
                label="Time"
                unset="Last 12 months"
                value={filters.months}
                options={SPANS}
                onSelect={(value) => change({ months: value })}
              />
            }
            source="Our VAT invoices less credit notes, by the day of issue, without VAT. This month isn’t complete."
          >
            <RevenueChart months={data.months} />
          </SectionCard>
          <SectionCard
            title="By month"
            source="Unpaid: with VAT, of invoices that aren’t paid or that a bank took back. The files of a month reconcile with Stripe’s payouts."
          >
            <RevenueTable months={data.months} />
          </SectionCard>
        </Stack>
      )}
    </LoadState>
  );
}

const NAMES = new Intl.DateTimeFormat('en-GB', { month: 'short', year: '2-digit', timeZone: 'UTC' });
const nameMonth = (first: PlainDate): string => NAMES.format(new Date(`${first}T00:00:00Z`));

function RevenueChart({ months }: Revenue) {
  const largest = Math.max(1, ...months.map(({ net_pence: net }) => net));
  return (
    <div className={styles.chart} role="img" aria-label="Bar chart of revenue by month. The table below has the figures.">
      {months.map(({ month, net_pence: net }) => (
        <div key={month} className={styles.bar}>
          <span>{nameMonth(month)}</span>
          <span className={styles.track}>
            <span className={styles.fill} style={{ '--share': Math.max(0, net) / largest } as CSSProperties} />
            <span>{formatPounds(net)}</span>
          </span>
        </div>
      ))}
    </div>
  );
}

function RevenueTable({ months }: Revenue) {
  const amount = (pounds: Month['net_pence']) => (pounds === 0 ? '–' : formatPounds(pounds));
  return (
    <Table label="Revenue by month" dense flush>
      <TableHead
        columns={[
          'Month',
          { numeric: 'Practices' },
          { numeric: 'Invoices' },
          { numeric: 'Invoiced' },
          { numeric: 'Credited' },
          { numeric: 'Refunded' },
          { numeric: 'Net' },
          { numeric: 'VAT' },
          { numeric: 'With VAT' },
          { numeric: 'Unpaid' },
          'Files',
        ]}
      />
      <tbody>
        {months.map((month) => (
          <tr key={month.month}>
            <th scope="row" data-nowrap>
              {nameMonth(month.month)}
            </th>
            <td data-numeric>{month.practices}</td>
            <td data-numeric>{month.invoices}</td>
            <td data-numeric>{amount(month.invoiced_net_pence)}</td>
            <td data-numeric>{amount(month.credited_net_pence)}</td>
            <td data-numeric>{amount(month.refunded_net_pence)}</td>
            <td data-numeric>{amount(month.net_pence)}</td>
            <td data-numeric>{amount(month.vat_pence)}</td>
            <td data-numeric>{amount(month.total_pence)}</td>
            <td data-numeric>{amount(month.unpaid_pence)}</td>
            <td data-nowrap>
              <Files month={month.month} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

const FILES = [
  { file: 'invoices', label: 'Invoices' },
  { file: 'payments', label: 'Payments' },
  { file: 'payouts', label: 'Payouts' },
] as const;

function Files({ month }: { month: PlainDate }) {
  return (
    <Row gap={12} wrap={false}>
      {FILES.map(({ file, label }) => (
        <TextLink key={file} href={`${PORTAL_BASE}${BILLING_EXPORT_PATH}?${new URLSearchParams({ file, month })}`} download>
          {label}
          <HiddenText> of {nameMonth(month)} as CSV</HiddenText>
        </TextLink>
      ))}
    </Row>
  );
}
