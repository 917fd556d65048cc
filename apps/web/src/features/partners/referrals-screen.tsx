/** A partner's page: which companies it has referred and the stage of each. Shows no figures (docs/product/decisions.md section 8). */
import { partnersApi } from '@portal/contract/partners.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { REFERRAL_STAGES, type ReferralStage } from '@portal/domain/partners/referral-stage.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { useSearchParams } from '../../lib/search-params.ts';
import { type ApiError, apiRequest } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../components/formats/date-text.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './referrals-screen.module.css';

type ReferralsOutput = EndpointOutput<typeof partnersApi.referrals>;
type Referral = ReferralsOutput['referrals'][number];
type Referrals = { readonly newest: ReferralsOutput | undefined; readonly referrals: readonly Referral[] };

const STAGE_CHIPS: Readonly<Record<ReferralStage, ComponentProps<typeof StateChip> & { readonly meaning: string }>> = {
  signed_up: { label: 'Signed up', icon: 'clock', tone: 'info', meaning: 'The company has an account but hasn’t connected HMRC yet.' },
  connected: {
    label: 'HMRC connected',
    icon: 'check',
    tone: 'info',
    meaning: 'We can see its VAT returns. It doesn’t have an open offer.',
  },
  offered: { label: 'Offer open', icon: 'file', tone: 'primary', meaning: 'It has an offer for a refund.' },
  accepted: { label: 'Offer accepted', icon: 'clock', tone: 'primary', meaning: 'We’re checking the refund before we pay it.' },
  paid: { label: 'Paid', icon: 'check', tone: 'success', meaning: 'We’ve paid the company and are waiting for HMRC to repay us.' },
  settled: { label: 'Settled', icon: 'check', tone: 'success', meaning: 'HMRC has repaid the refund.' },
};

export function ReferralsScreen() {
  const [search] = useSearchParams();
  const partner = search.get('partner') ?? undefined;
  const query = useInfiniteQuery<ReferralsOutput, ApiError, Referrals, readonly unknown[], string | undefined>({
    queryKey: [partnersApi.referrals.path, partner],
    queryFn: ({ pageParam, signal }) =>
      apiRequest(partnersApi.referrals, { ...(partner ? { partner } : {}), ...(pageParam ? { before: pageParam } : {}) }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next_before ?? undefined,
    select: ({ pages }) => ({ newest: pages[0], referrals: pages.flatMap((page) => page.referrals) }),
  });
  const shownPartner = query.data?.newest?.partner;
  return (
    <Page title={shownPartner ? `Referrals from ${shownPartner.logo_text}` : 'Referrals'} maxWidth="wide">
      <LoadState query={query}>
        {({ newest, referrals }) =>
          newest?.partner ? (
            <Stack gap={24}>
              <PartnerTabs output={newest} />
              <AttributionCard output={newest} partner={newest.partner} />
              <ReferralsCard
                referrals={referrals}
                loadMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
                isLoadingMore={query.isFetchingNextPage}
              />
            </Stack>
          ) : (
            <Notice tone="info" title="You don’t have any referrals to see">
              This page is for our partners’ contacts. If you’re one,{' '}
              <TextLink to={getPageLink('contact')}>ask us to add your email address</TextLink>.
            </Notice>
          )
        }
      </LoadState>
    </Page>
  );
}

/** Tabs for users who are contacts of several partners. */
function PartnerTabs({ output }: { output: ReferralsOutput }) {
  if (output.partners.length < 2) return null;
  return (
    <nav aria-label="Partners">
      <Row gap={8}>
        {output.partners.map(({ name, logo_text: logoText }) => (
          <Button
            key={name}
            to={getPageLink('partnerReferrals', { partner: name })}
            size="small"
            variant={name === output.partner?.name ? 'filled' : 'outlined'}
            aria-current={name === output.partner?.name ? 'page' : undefined}
          >
            {logoText}
          </Button>
        ))}
      </Row>
    </nav>
  );
}

function AttributionCard({ output, partner }: { output: ReferralsOutput; partner: NonNullable<ReferralsOutput['partner']> }) {
  const { companies, first_touch: first, last_touch: last } = output.counts;
  return (
    <SectionCard title="Totals">
      <FactList
        facts={[
          { label: partner.is_agent ? 'Companies you’re the agent for' : 'Companies that get your terms', value: companies },
          { label: 'People whose first visit was through your link', value: first },
          { label: 'People whose last visit was through your link', value: last },
          { label: 'Your contact here', value: partner.referral_owner },
        ]}
      />
    </SectionCard>
  );
}

type ListProps = { referrals: readonly Referral[]; loadMore: (() => void) | undefined; isLoadingMore: boolean };

function ReferralsCard({ referrals, loadMore, isLoadingMore }: ListProps) {
  return (
    <SectionCard title="Companies" source="Shows stages only. Amounts are between us and each company.">
      {referrals.length === 0 ? (
        <Text>No referrals yet. Companies appear here when they sign up through your link.</Text>
      ) : (
        <RecordTable
          label="Companies and their stages"
          // Two companies may have the same name, and partners don't see IDs.
          rows={referrals.map((referral, index) => ({ ...referral, index }))}
          getKey={({ index }) => String(index)}
          columns={[
            { title: 'Company', cell: (referral) => <span className={styles.company}>{referral.company_name}</span> },
            { title: 'Stage', cell: ({ stage }) => <StageChip stage={stage} /> },
            { title: 'Since', cell: ({ since }) => <DateText date={since} style="short" /> },
          ]}
        />
      )}
      <Stack gap={16} align="start" className={styles.stages}>
        {loadMore ? (
          <Button variant="outlined" onClick={loadMore} isBusy={isLoadingMore}>
            Show more
          </Button>
        ) : null}
        <Heading level={3} size="part">
          What the stages mean
        </Heading>
        <FactList facts={REFERRAL_STAGES.map((stage) => ({ label: STAGE_CHIPS[stage].label, value: STAGE_CHIPS[stage].meaning }))} />
      </Stack>
    </SectionCard>
  );
}

function StageChip({ stage }: { stage: ReferralStage }) {
  const { meaning: _hint, ...chip } = STAGE_CHIPS[stage];
  return <StateChip {...chip} />;
}
