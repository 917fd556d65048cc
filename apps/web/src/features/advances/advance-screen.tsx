/** The advance on one refund: the offer, the agreement, the account HMRC must repay into, and the status. */
import { advancesApi, type AdvanceOutput } from '@portal/contract/advances.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink, useSearchParams } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { pageLink } from '../../lib/page-link.ts';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { RefundTimeline } from '../../ui/refund-timeline.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { AcceptCard } from './accept-card.tsx';
import { AdvanceStatus } from './advance-status.tsx';
import { AgreementCard } from './agreement-card.tsx';
import { CollectionAccountCard } from './collection-account-card.tsx';
import { FiguresCard } from './figures-card.tsx';
import { mustGiveHmrcAccount } from './must-give-hmrc-account.ts';
import { NoAdvance } from './no-advance.tsx';
import { RulesCard } from './rules-card.tsx';
import { WithdrawCard } from './withdraw-card.tsx';
import type { AdvancePartProps } from './advance-part.ts';

/** In these states the person waits for the next stage, so poll more often. */
const MOVING_STATES: ReadonlySet<AdvanceOutput['state']> = new Set(['accepted', 'in_review', 'approved', 'paying', 'paid']);
const MOVING_INTERVAL_MS = 2_000;
const IDLE_INTERVAL_MS = 30_000;

export function AdvanceScreen() {
  const { companyId, settled } = useCompanyId();
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
  return (
    <Page
      title="Your refund, early"
      lead={
        <Link component={RouterLink} to={pageLink('dashboard', companyId === '' ? {} : { company_id: companyId })}>
          Back to the dashboard
        </Link>
      }
    >
      {settled && companyId === '' ? (
        <Notice tone="warning" title="This address names no company">
          Open the offer from your dashboard.
        </Notice>
      ) : (
        <LoadState query={query}>
          {({ advance, reason }) =>
            advance ? (
              <Advance advance={advance} companyId={companyId} />
            ) : (
              <NoAdvance reason={reason} companyId={companyId} obligationId={obligationId} />
            )
          }
        </LoadState>
      )}
    </Page>
  );
}

function Advance({ advance, companyId }: AdvancePartProps) {
  const isOffer = advance.state === 'quoted';
  const part = { advance, companyId };
  const toDo = mustGiveHmrcAccount(advance);
  const collection = advance.collection_account ? <CollectionAccountCard {...part} account={advance.collection_account} /> : null;
  return (
    <Box
      sx={{
        display: 'grid',
        gap: { xs: 2, md: 3 },
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 7fr) minmax(0, 5fr)' },
        alignItems: 'start',
      }}
    >
      <Box sx={{ display: 'grid', gap: { xs: 2, md: 3 }, minWidth: 0 }}>
        <AdvanceStatus {...part} />
        {toDo ? collection : null}
        <FiguresCard {...part} />
        {isOffer && advance.eligible ? <AcceptCard key={advance.version} {...part} /> : null}
        {toDo ? null : collection}
      </Box>
      <Box sx={{ display: 'grid', gap: { xs: 2, md: 3 }, minWidth: 0 }}>
        <SectionCard title="The way of your refund">
          <RefundTimeline stages={advance.timeline} label="The way of your refund" />
        </SectionCard>
        {isOffer ? <RulesCard {...part} /> : null}
        {advance.agreement.accepted_at ? <AgreementCard {...part} acceptedAt={advance.agreement.accepted_at} /> : null}
        <WithdrawCard {...part} />
      </Box>
    </Box>
  );
}
