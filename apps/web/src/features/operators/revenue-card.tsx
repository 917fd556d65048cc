/** Revenue by month from our invoices and credit notes: bars with the net amounts, and a table with all figures. */
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
import { MEDIA_BELOW, useMediaQuery } from '../../lib/use-media-query.ts';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { RecordCards } from '../../ui/record-cards.tsx';
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
  const List = useMediaQuery(MEDIA_BELOW.lg) ? RevenueCards : RevenueTable;
  return (
    <LoadState query={query}>
      {(data) => (
        <Stack gap={24}>
          <SectionCard
            title="Revenue by month"
            aside={
              <FilterPill
                label="Time"
                unsetLabel="Last 12 months"
                value={filters.months}
                options={SPANS}
                onSelect={(value) => change({ months: value })}
              />
            }
            source="Our VAT invoices less credit notes, by tax point, excluding VAT. This month isn’t complete."
          >
            <RevenueChart months={data.months} />
          </SectionCard>
          <SectionCard
            title="By month"
            source="Unpaid: invoices that haven’t been paid or were charged back by a bank, including VAT. Written off: bad debts, including VAT. A month’s files reconcile with Stripe’s payouts."
          >
            <List months={data.months} />
          </SectionCard>
        </Stack>
      )}
    </LoadState>
  );
}

const MONTH_FORMAT = new Intl.DateTimeFormat('en-GB', { month: 'short', year: '2-digit', timeZone: 'UTC' });
const formatMonthName = (first: PlainDate): string => MONTH_FORMAT.format(new Date(`${first}T00:00:00Z`));

function RevenueChart({ months }: Revenue) {
  const largestAmount = Math.max(1, ...months.map(({ net_pence: net }) => net));
  return (
    <div className={styles.chart} role="img" aria-label="Bar chart of revenue by month. The table below has the figures.">
      {months.map(({ month, net_pence: net }) => (
        <div key={month} className={styles.bar}>
          <span>{formatMonthName(month)}</span>
          <span className={styles.track}>
            <span className={styles.fill} style={{ '--share': Math.max(0, net) / largestAmount } as CSSProperties} />
            <span>{formatPounds(net)}</span>
          </span>
        </div>
      ))}
    </div>
  );
}

const formatAmount = (pounds: Month['net_pence']) => (pounds === 0 ? '–' : formatPounds(pounds));

/** Shown where twelve columns don't fit. Omits zero amounts, except in the totals. */
function RevenueCards({ months }: Revenue) {
  return (
    <RecordCards
      label="Revenue by month"
      cards={months.map((month) => ({
        key: month.month,
        title: formatMonthName(month.month),
        facts: [
          { label: 'Practices', value: month.practices },
          { label: 'Invoices', value: month.invoices },
          { label: 'Invoiced', value: formatAmount(month.invoiced_net_pence) },
          ...[
            { label: 'Credited', pounds: month.credited_net_pence },
            { label: 'Refunded', pounds: month.refunded_net_pence },
          ].flatMap(({ label, pounds }) => (pounds === 0 ? [] : [{ label, value: formatPounds(pounds) }])),
          { label: 'Net', value: formatAmount(month.net_pence) },
          { label: 'VAT', value: formatAmount(month.vat_pence) },
          { label: 'With VAT', value: formatAmount(month.total_pence) },
          ...[
            { label: 'Unpaid', pounds: month.unpaid_pence },
            { label: 'Written off', pounds: month.written_off_pence },
          ].flatMap(({ label, pounds }) => (pounds === 0 ? [] : [{ label, value: formatPounds(pounds) }])),
        ],
        action: <Files month={month.month} />,
      }))}
    />
  );
}

function RevenueTable({ months }: Revenue) {
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
          { numeric: 'Written off' },
          'Files',
        ]}
      />
      <tbody>
        {months.map((month) => (
          <tr key={month.month}>
            <th scope="row" data-nowrap>
              {formatMonthName(month.month)}
            </th>
            <td data-numeric>{month.practices}</td>
            <td data-numeric>{month.invoices}</td>
            <td data-numeric>{formatAmount(month.invoiced_net_pence)}</td>
            <td data-numeric>{formatAmount(month.credited_net_pence)}</td>
            <td data-numeric>{formatAmount(month.refunded_net_pence)}</td>
            <td data-numeric>{formatAmount(month.net_pence)}</td>
            <td data-numeric>{formatAmount(month.vat_pence)}</td>
            <td data-numeric>{formatAmount(month.total_pence)}</td>
            <td data-numeric>{formatAmount(month.unpaid_pence)}</td>
            <td data-numeric>{formatAmount(month.written_off_pence)}</td>
            <td>
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
  { file: 'write_offs', label: 'Write-offs' },
  { file: 'payments', label: 'Payments' },
  { file: 'payouts', label: 'Payouts' },
] as const;

function Files({ month }: { month: PlainDate }) {
  return (
    <Row gap={12}>
      {FILES.map(({ file, label }) => (
        <TextLink key={file} href={`${PORTAL_BASE}${BILLING_EXPORT_PATH}?${new URLSearchParams({ file, month })}`} download>
          {label}
          <HiddenText> for {formatMonthName(month)} as CSV</HiddenText>
        </TextLink>
      ))}
    </Row>
  );
}
