/** One advance as operators see it: its next step, the rules, the figures, the history, and the decisions that pay out money. */
import { operatorsApi } from '@portal/contract/operators.ts';
import { canTransition } from '@portal/domain/advances/advance-states.ts';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { MainAndAside, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { RefundTimeline } from '../../components/advances/refund-timeline.tsx';
import { RuleList } from '../../components/advances/rule-list.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ADVANCE_CHIPS } from './advance-labels.ts';
import { CompanyPeopleCard } from './company-people-card.tsx';
import { CreditsCard } from './credits-card.tsx';
import { DecideCard } from './decide-card.tsx';
import { EarlyCreditsNotice } from './early-credits-notice.tsx';
import { FactsCard } from './facts-card.tsx';
import { HistoryCard } from './history-card.tsx';
import { NotesList } from './notes-list.tsx';
import type { OperatorPartProps } from './operator-outputs.ts';
import { getAdvancePendingAction } from './pending-action.ts';
import { OwnersCard } from './owners-card.tsx';
import { ReleaseCard } from './release-card.tsx';
import { RetryPayoutCard } from './retry-payout-card.tsx';

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
        <>
          <TextLink to={getPageLink('adminQueues')}>Back to work queue</TextLink>
          {isNamed && (
            <>
              {' · '}
              <TextLink to={getPageLink('adminCompany', { company_id: input.company_id })}>Open company</TextLink>
            </>
          )}
        </>
      }
      actions={query.data ? <StateChip {...ADVANCE_CHIPS[query.data.advance.state]} /> : undefined}
    >
      {isNamed ? (
        <LoadState query={query}>{(data) => <OperatorAdvance data={data} />}</LoadState>
      ) : (
        <Notice tone="warning" title="Advance not found">
          This link doesn’t include an advance. Open one from the work queue.
        </Notice>
      )}
    </Page>
  );
}

function OperatorAdvance({ data }: OperatorPartProps) {
  const { state, rules, timeline } = data.advance;
  const nextStep = getAdvancePendingAction(data);
  const notEvaluatedCount = rules.filter((rule) => rule.outcome === 'not_judged').length;
  return (
    <MainAndAside>
      <Stack gap={24}>
        {nextStep !== undefined && <Notice tone="info" title={nextStep} role="status" />}
        {data.payout_hold && (
          <Notice tone="warning" title="Payout on hold" role="status">
            {data.payout_hold}
          </Notice>
        )}
        <MissingRefundNotice data={data} />
        <EarlyCreditsNotice data={data} />
        {state === 'approved' && !data.payout_hold && <ReleaseCard data={data} />}
        {state === 'payout_failed' && <RetryPayoutCard data={data} />}
        {canTransition(state, 'declined') && <DecideCard data={data} />}
        <SectionCard
          title="Eligibility rules"
          source={
            notEvaluatedCount > 0
              ? `We couldn’t check ${notEvaluatedCount === 1 ? 'one rule' : `${notEvaluatedCount} rules`} automatically. Check ${notEvaluatedCount === 1 ? 'it' : 'them'} yourself before you approve.`
              : undefined
          }
        >
          <RuleList rules={rules} />
        </SectionCard>
        <HistoryCard data={data} />
      </Stack>
      <Stack gap={24}>
        <FactsCard data={data} />
        <CompanyPeopleCard people={data.people} />
        <SectionCard title="What the trader sees">
          <RefundTimeline stages={timeline} label="Refund progress" />
        </SectionCard>
        {/* These come last because they load later and would shift anything below them. */}
        <SectionCard title="Notes">
          <NotesList companyId={data.company.company_id} subjectId={data.advance.advance_id} />
        </SectionCard>
        <OwnersCard companyId={data.company.company_id} />
        <CreditsCard companyId={data.company.company_id} />
      </Stack>
    </MainAndAside>
  );
}

/** A refund that is late or short has a case under Shortfalls, with its next step. */
function MissingRefundNotice({ data }: OperatorPartProps) {
  const { state, repayment_late: isLate } = data.advance;
  const isShort = state === 'shortfall' || state === 'collecting';
  if (!isLate && !isShort) return null;
  return (
    <Notice tone="warning" title={isLate ? 'HMRC is late with this refund' : 'HMRC repaid less than the refund'} role="status">
      <TextLink to={getPageLink('adminShortfalls', { q: data.company.vrn })}>See the case and its next action</TextLink>
    </Notice>
  );
}
