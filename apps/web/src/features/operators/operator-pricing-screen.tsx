/** Price lists and promotion codes. Changes with a financial effect need a second operator's approval. */
import { operatorPricingApi } from '@portal/contract/operator-pricing.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { PillTabs } from '../../ui/pill-tabs.tsx';
import { ApprovalsCard } from './approvals-card.tsx';
import { PriceListDraftCard } from './price-list-draft-card.tsx';
import { PriceMovesCard } from './price-moves-card.tsx';
import { PriceListsCard } from './price-lists-card.tsx';
import { PromotionCodesCard } from './promotion-codes-card.tsx';

const PRICING_VIEWS = [
  { key: 'tiers', label: 'Price lists' },
  { key: 'codes', label: 'Promotion codes' },
] as const;

export function OperatorPricingScreen() {
  const { filters } = useUrlFilters(['view']);
  const view = PRICING_VIEWS.find(({ key }) => key === filters.view)?.key ?? 'tiers';
  return (
    <Page title="Prices" maxWidth="full">
      <Stack gap={24}>
        <PillTabs
          label="Prices"
          current={view}
          tabs={PRICING_VIEWS.map(({ key, label }) => ({
            key,
            label,
            to: getPageLink('adminPricing', key === 'tiers' ? {} : { view: key }),
          }))}
        />
        <ApprovalsCard />
        {view === 'tiers' ? <PriceLists /> : <PromotionCodesCard />}
      </Stack>
    </Page>
  );
}

function PriceLists() {
  const query = useQuery(apiQuery(operatorPricingApi.lists, {}));
  return (
    <LoadState query={query}>
      {(data) => (
        <Stack gap={24}>
          <PriceListDraftCard data={data} />
          <PriceMovesCard data={data} />
          <PriceListsCard data={data} />
        </Stack>
      )}
    </LoadState>
  );
}
