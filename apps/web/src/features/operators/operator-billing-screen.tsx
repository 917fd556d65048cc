/** Shows what practices pay: subscriptions, invoices with their refunds, and revenue by month. */
import { getPageLink } from '../../lib/page-link.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { PillTabs } from '../../ui/pill-tabs.tsx';
import { ApprovalsCard } from './approvals-card.tsx';
import { InvoicesCard } from './invoices-card.tsx';
import { RefundsCard } from './refunds-card.tsx';
import { RevenueCard } from './revenue-card.tsx';
import { SubscriptionsCard } from './subscriptions-card.tsx';

const BILLING_VIEWS = [
  { key: 'subscriptions', label: 'Subscriptions' },
  { key: 'invoices', label: 'Invoices' },
  { key: 'refunds', label: 'Refunds' },
  { key: 'revenue', label: 'Revenue' },
] as const;

export function OperatorBillingScreen() {
  const { filters } = useUrlFilters(['view']);
  const view = BILLING_VIEWS.find(({ key }) => key === filters.view)?.key ?? 'subscriptions';
  return (
    <Page title="Billing" maxWidth="full">
      <Stack gap={24}>
        <PillTabs
          label="Billing"
          current={view}
          tabs={BILLING_VIEWS.map(({ key, label }) => ({
            key,
            label,
            to: getPageLink('adminBilling', key === 'subscriptions' ? {} : { view: key }),
          }))}
        />
        {view === 'subscriptions' && <SubscriptionsCard />}
        {view === 'invoices' && (
          <>
            <ApprovalsCard />
            <InvoicesCard />
          </>
        )}
        {view === 'refunds' && (
          <>
            <ApprovalsCard />
            <RefundsCard />
          </>
        )}
        {view === 'revenue' && <RevenueCard />}
      </Stack>
    </Page>
  );
}
