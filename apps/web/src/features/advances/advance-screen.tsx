/** The advance on one refund: the offer, the agreement, the account that HMRC must repay into, and the status. */
import { advancesApi, type AdvanceOutput } from '@portal/contract/advances.ts';
import { dashboardApi } from '@portal/contract/dashboard.ts';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { MainAndAside, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { RefundTimeline } from '../../components/advances/refund-timeline.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { NeedsRight } from '../../components/companies/needs-right.tsx';
import { AcceptCard } from './accept-card.tsx';
import { AdvanceStatus } from './advance-status.tsx';
import { AgreementCard } from './agreement-card.tsx';
import { CollectionAccountCard } from './collection-account-card.tsx';
import { FiguresCard } from './figures-card.tsx';
import { needsHmrcAccount } from './must-give-hmrc-account.ts';
import { MandateCard } from './mandate-card.tsx';
import { NoAdvance, NoOfferOnReturn, OtherClaimedRefund } from './no-advance.tsx';
import { RulesCard } from './rules-card.tsx';
import { ShortfallSection } from './shortfall-section.tsx';
import { WithdrawCard } from './withdraw-card.tsx';
import type { AdvancePartProps } from './advance-part.ts';

/** In these states the user is waiting for the next stage, so poll more often. */
const MOVING_STATES: ReadonlySet<AdvanceOutput['state']> = new Set(['accepted', 'in_review', 'approved', 'paying', 'paid']);
const MOVING_INTERVAL_MS = 2_000;
const IDLE_INTERVAL_MS = 30_000;

export function AdvanceScreen() {
  const { companyId, isSettled } = useCompanyId();
  const [search] = useSearchParams();
  const obligationId = search.get('obligation_id') ?? undefined;
  const query = useQuery({
    ...apiQuery(advancesApi.find, { company_id: companyId, obligation_id: obligationId }),
    enabled: companyId !== '',
    refetchInterval: ({ state }) => {
      const advance = state.data?.advance;
      return advance && MOVING_STATES.has(advance.state) ? MOVING_INTERVAL_MS : IDLE_INTERVAL_MS;
    },
  });
  // The dashboard knows of refunds without an advance.
  const dashboardQuery = useQuery({
    ...apiQuery(dashboardApi.get, { company_id: companyId }),
    enabled: companyId !== '' && (obligationId === undefined || query.data?.advance === null),
  });
  return (
    <Page
      title="Early refund"
      lead={<TextLink to={getPageLink('dashboard', companyId === '' ? {} : { company_id: companyId })}>Back to the dashboard</TextLink>}
    >
      {isSettled && companyId === '' ? (
        <Notice tone="warning" title="This link doesn’t include a company">
          Open the offer from your dashboard.
        </Notice>
      ) : (
        <LoadState query={query}>
          {({ advance, reason }) =>
            advance && obligationId !== undefined ? (
              <AdvanceDetails key={advance.advance_id} advance={advance} companyId={companyId} />
            ) : (
              <LoadState query={dashboardQuery}>
                {(dashboard) =>
                  advance ? (
                    <Stack gap={24}>
                      <OtherClaimedRefund companyId={companyId} dashboard={dashboard} />
                      <AdvanceDetails key={advance.advance_id} advance={advance} companyId={companyId} />
                    </Stack>
                  ) : obligationId === undefined ? (
                    <NoAdvance {...{ reason, companyId, dashboard }} />
                  ) : (
                    <NoOfferOnReturn {...{ reason, companyId, dashboard, obligationId }} />
                  )
                }
              </LoadState>
            )
          }
        </LoadState>
      )}
    </Page>
  );
}

function AdvanceDetails({ advance, companyId }: AdvancePartProps) {
  const isOffer = advance.state === 'quoted';
  const part = { advance, companyId };
  const isAccountNeeded = needsHmrcAccount(advance);
  const collection = advance.collection_account ? <CollectionAccountCard {...part} account={advance.collection_account} /> : null;
  return (
    <MainAndAside>
      <Stack gap={24}>
        <AdvanceStatus {...part} />
        <NeedsRight companyId={companyId} access="company.accept_advance">
          <MandateCard {...part} />
        </NeedsRight>
        <ShortfallSection {...part} />
        {isAccountNeeded && collection}
        <FiguresCard {...part} />
        {isOffer && advance.eligible && (
          <NeedsRight companyId={companyId} access="company.accept_advance" to="accept this offer">
            <AcceptCard key={advance.version} {...part} />
          </NeedsRight>
        )}
        {!isAccountNeeded && collection}
      </Stack>
      <Stack gap={24}>
        <SectionCard title="Refund progress">
          <RefundTimeline stages={advance.timeline} label="Refund progress" />
        </SectionCard>
        {isOffer && <RulesCard {...part} />}
        {advance.agreement.accepted_at && <AgreementCard {...part} acceptedAt={advance.agreement.accepted_at} />}
        <NeedsRight companyId={companyId} access="company.accept_advance">
          <WithdrawCard {...part} />
        </NeedsRight>
      </Stack>
    </MainAndAside>
  );
}
