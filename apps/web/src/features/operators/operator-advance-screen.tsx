/** One advance as operators see it: what it waits for, the rules, the figures, the history, and the decisions that move money. */
import { operatorsApi } from '@portal/contract/operators.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink, useSearchParams } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { pageLink } from '../../lib/page-link.ts';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { RefundTimeline } from '../../ui/refund-timeline.tsx';
import { RuleList } from '../../ui/rule-list.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { ADVANCE_CHIPS } from './advance-labels.ts';
import { DecideCard } from './decide-card.tsx';
import { FactsCard } from './facts-card.tsx';
import { HistoryCard } from './history-card.tsx';
import { ReleaseCard } from './release-card.tsx';
import { RetryPayoutCard } from './retry-payout-card.tsx';
import { getAdvancePendingAction } from './pending-action.ts';
import type { OperatorPartProps } from './operator-outputs.ts';

const REFRESH_MS = 5_000;

export function OperatorAdvanceScreen() {
  const [search] = useSearchParams();
  const input = { company_id: search.get('company_id') ?? '', advance_id: search.get('advance_id') ?? '' };
  const isNamed = input.company_id !== '' && input.advance_id !== '';
  const query = useQuery({ ...apiQuery(operatorsApi.advance, input), enabled: isNamed, refetchInterval: REFRESH_MS });
  return (
    <Page
      title={query.data?.company.name ?? 'Advance'}
      lead={
        <Link component={RouterLink} to={pageLink('adminQueues')}>
          Back to the queues
        </Link>
      }
      actions={query.data ? <StateChip {...ADVANCE_CHIPS[query.data.advance.state]} /> : undefined}
    >
      {isNamed ? (
        <LoadState query={query}>{(data) => <OperatorAdvance data={data} />}</LoadState>
      ) : (
        <Notice tone="warning" title="This address names no advance">
          Open one from the queues.
        </Notice>
      )}
    </Page>
  );
}

function OperatorAdvance({ data }: OperatorPartProps) {
  const { state, rules, timeline } = data.advance;
  const waitingFor = getAdvancePendingAction(data);
  const notEvaluated = rules.filter((rule) => rule.outcome === 'not_judged').length;
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
        {waitingFor ? <Notice tone="info" title={`Waits for ${waitingFor}`} role="status" /> : null}
        {data.payout_hold ? (
          <Notice tone="warning" title="The payout is held" role="status">
            {data.payout_hold}
          </Notice>
        ) : null}
        {state === 'in_review' || data.payout_hold ? <DecideCard data={data} /> : null}
        {state === 'approved' && !data.payout_hold ? <ReleaseCard data={data} /> : null}
        {state === 'payout_failed' ? <RetryPayoutCard data={data} /> : null}
        <SectionCard
          title="Rules"
          source={
            notEvaluated > 0
              ? `${notEvaluated} of the published rules cannot be judged yet: look at them yourself before you approve.`
              : undefined
          }
        >
          <RuleList rules={rules} />
        </SectionCard>
        <HistoryCard data={data} />
      </Box>
      <Box sx={{ display: 'grid', gap: { xs: 2, md: 3 }, minWidth: 0 }}>
        <FactsCard data={data} />
        <SectionCard title="As the trader sees it">
          <RefundTimeline stages={timeline} label="The way of the refund" />
        </SectionCard>
      </Box>
    </Box>
  );
}
