/**
 * A partner's page: which companies it has referred and how far each has come. Stages only, no figures (docs/product/decisions.md section
 * 8).
 */
import { partnersApi } from '@portal/contract/partners.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { REFERRAL_STAGES, type ReferralStage } from '@portal/domain/partners/referral-stage.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextLink from '@mui/material/Link';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { Link, useSearchParams } from 'react-router';
import { type ApiError, apiRequest } from '../../lib/api.ts';
import { pageLink } from '../../lib/page-link.ts';
import { DateText } from '../../ui/date-text.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';

type ReferralsOutput = EndpointOutput<typeof partnersApi.referrals>;
type Referral = ReferralsOutput['referrals'][number];
type Referrals = { readonly newest: ReferralsOutput | undefined; readonly referrals: readonly Referral[] };

const STAGES: Readonly<Record<ReferralStage, ComponentProps<typeof StateChip> & { readonly meaning: string }>> = {
  signed_up: { label: 'Signed up', icon: 'clock', tone: 'info', meaning: 'The company is here; HMRC is not connected yet.' },
  connected: { label: 'HMRC connected', icon: 'check', tone: 'info', meaning: 'We read its VAT returns; no offer is open now.' },
  offered: { label: 'Offer open', icon: 'file', tone: 'primary', meaning: 'It has an offer for a refund.' },
  accepted: { label: 'Offer accepted', icon: 'clock', tone: 'primary', meaning: 'We check the refund and pay it.' },
  paid: { label: 'Paid', icon: 'check', tone: 'success', meaning: 'The company has its money; HMRC repays us.' },
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
  const shown = query.data?.newest?.partner;
  return (
    <Page title={shown ? `Referrals of ${shown.logo_text}` : 'Referrals'} maxWidth="wide">
      <LoadState query={query}>
        {({ newest, referrals }) =>
          newest?.partner ? (
            <Box sx={{ display: 'grid', gap: { xs: 2, md: 3 } }}>
              <PartnerTabs answer={newest} />
              <AttributionCard answer={newest} partner={newest.partner} />
              <ReferralsCard
                referrals={referrals}
                loadMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
                isLoadingMore={query.isFetchingNextPage}
              />
            </Box>
          ) : (
            <Notice tone="info" title="There are no referrals to show you">
              This page is for the contacts of our partners. If you are one,{' '}
              <TextLink component={Link} to={pageLink('contact')}>
                ask us to add your email address
              </TextLink>
              .
            </Notice>
          )
        }
      </LoadState>
    </Page>
  );
}

/** Tabs for people who are contacts of several partners. */
function PartnerTabs({ answer }: { answer: ReferralsOutput }) {
  if (answer.partners.length < 2) return null;
  return (
    <Box component="nav" aria-label="Partners" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      {answer.partners.map(({ name, logo_text: logoText }) => (
        <Button
          key={name}
          component={Link}
          to={pageLink('partnerReferrals', { partner: name })}
          size="small"
          variant={name === answer.partner?.name ? 'contained' : 'outlined'}
          aria-current={name === answer.partner?.name ? 'page' : undefined}
        >
          {logoText}
        </Button>
      ))}
    </Box>
  );
}

function AttributionCard({ answer, partner }: { answer: ReferralsOutput; partner: NonNullable<ReferralsOutput['partner']> }) {
  const { companies, first_touch: first, last_touch: last } = answer.counts;
  return (
    <SectionCard title="In numbers">
      <FactList
        facts={[
          { label: partner.is_agent ? 'Companies you are the agent of' : 'Companies on your terms', value: companies },
          { label: 'People who first came by your link', value: first },
          { label: 'People who last came by your link', value: last },
          { label: 'Your team at our side', value: partner.referral_owner },
        ]}
      />
    </SectionCard>
  );
}

type ListProps = { referrals: readonly Referral[]; loadMore: (() => void) | undefined; isLoadingMore: boolean };

function ReferralsCard({ referrals, loadMore, isLoadingMore }: ListProps) {
  return (
    <SectionCard title="Companies" source="Stages only: amounts are between each company and us.">
      {referrals.length === 0 ? (
        <Typography>Nobody yet. A company appears here when it has signed up by your link.</Typography>
      ) : (
        <TableContainer tabIndex={0} role="region" aria-label="Companies and their stages">
          <Table sx={{ '& .MuiTableCell-root': { px: 1 } }}>
            <TableHead>
              <TableRow>
                <TableCell>Company</TableCell>
                <TableCell>Stage</TableCell>
                <TableCell>Since</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {referrals.map((referral, index) => (
                // Two companies may have the same name, and partners don't see IDs.
                <TableRow key={index}>
                  <TableCell component="th" scope="row" sx={{ overflowWrap: 'anywhere' }}>
                    {referral.company_name}
                  </TableCell>
                  <TableCell>
                    <StageChip stage={referral.stage} />
                  </TableCell>
                  <TableCell>
                    <DateText date={referral.since} style="short" />
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </TableContainer>
      )}
      {loadMore ? (
        <Button variant="outlined" onClick={loadMore} loading={isLoadingMore} sx={{ mt: 2 }}>
          Show more
        </Button>
      ) : null}
      <Typography component="h3" variant="h3" sx={{ mt: 3, mb: 1 }}>
        What the stages mean
      </Typography>
      <FactList facts={REFERRAL_STAGES.map((stage) => ({ label: STAGES[stage].label, value: STAGES[stage].meaning }))} />
    </SectionCard>
  );
}

function StageChip({ stage }: { stage: ReferralStage }) {
  const { meaning: _meaning, ...chip } = STAGES[stage];
  return <StateChip {...chip} />;
}
