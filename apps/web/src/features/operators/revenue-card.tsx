/** Revenue by month from our invoices and credit notes: bars with the net amounts, and a table with all figures. */
import { BILLING_EXPORT_PATH } from '@portal/contract/billing.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';
import { MEDIA_BELOW } from '../../lib/use-media-query.ts';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
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
            <RevenueTable months={data.months} />
          </SectionCard>
        </Stack>
      )}
    </LoadState>
  );
}

const formatMonthName = (first: PlainDate): string => formatDate(first, 'short').replace('1 ', '');

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

const formatAmount = (amount: Month['net_pence']): string | null => (amount === 0 ? null : formatPounds(amount));

function RevenueTable({ months }: Revenue) {
  return (
    <RecordTable
      label="Revenue by month"
      rows={months}
      getKey={({ month }) => month}
      cardsAt={MEDIA_BELOW.lg}
      columns={[
        { title: 'Month', layout: 'nowrap', cell: ({ month }) => formatMonthName(month) },
        { title: 'Practices', layout: 'numeric', cell: ({ practices }) => practices },
        { title: 'Invoices', layout: 'numeric', cell: ({ invoices }) => invoices },
        { title: 'Invoiced', layout: 'numeric', cell: (month) => formatAmount(month.invoiced_net_pence) },
        { title: 'Credited', layout: 'numeric', cell: (month) => formatAmount(month.credited_net_pence) },
        { title: 'Refunded', layout: 'numeric', cell: (month) => formatAmount(month.refunded_net_pence) },
        { title: 'Net', layout: 'numeric', cell: (month) => formatAmount(month.net_pence) },
        { title: 'VAT', layout: 'numeric', cell: (month) => formatAmount(month.vat_pence) },
        { title: 'With VAT', layout: 'numeric', cell: (month) => formatAmount(month.total_pence) },
        { title: 'Unpaid', layout: 'numeric', cell: (month) => formatAmount(month.unpaid_pence) },
        { title: 'Written off', layout: 'numeric', cell: (month) => formatAmount(month.written_off_pence) },
        { title: 'Files', layout: 'action', cell: ({ month }) => <Files month={month} /> },
      ]}
    />
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
