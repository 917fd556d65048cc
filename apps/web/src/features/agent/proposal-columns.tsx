/** Watch, drafts and done: side by side, or one at a time on phones. */
import { agentModeApi, type AgentProposal } from '@portal/contract/agent.ts';
import { MAX_BULK_PROPOSALS } from '@portal/domain/agent/agent-mode.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { BareCheckbox } from '../../ui/choice.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { DraftActions } from './draft-actions.tsx';
import { ProposalCard } from './proposal-card.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { useInvalidateAgent, useProposals, type AgentColumn } from './use-agent.ts';

export const COLUMN_NAMES: Readonly<Record<AgentColumn, string>> = { watch: 'Watch', drafts: 'Drafts to review', done: 'Done' };

const EMPTY_MESSAGES: Readonly<Record<AgentColumn, string>> = {
  watch: 'Nothing else to report.',
  drafts: 'No drafts to review. New ones appear here automatically.',
  done: 'No decisions yet.',
};

type ColumnProps = { companyId: string; mayManage: boolean };
type ProposalColumnProps = ColumnProps & { mayReword: boolean; column: AgentColumn };

/** Approves proposals together, and reports the outcome of each. */
function useApprove(companyId: string) {
  const invalidate = useInvalidateAgent();
  return useMutation({
    mutationFn: (drafts: readonly AgentProposal[]) =>
      apiRequest(agentModeApi.approve, {
        company_id: companyId,
        proposals: drafts.map(({ proposal_id, version }) => ({ proposal_id, version })),
      }),
    onSettled: invalidate,
  });
}

type ApprovalMutation = ReturnType<typeof useApprove>;

const OUTCOMES = {
  done: 'done',
  changed: 'changed since, so check again',
  withdrawn: 'no longer needed',
  already: 'already decided',
  failed: 'not possible',
} as const;

function ApprovalResult({ approve: { data, error } }: { approve: ApprovalMutation }) {
  const outcomes = data?.results ?? [];
  const countedOutcomes = Object.entries(OUTCOMES).flatMap(([outcome, text]) => {
    const count = outcomes.filter((item) => item.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${text}`];
  });
  const messages = [...new Set(outcomes.flatMap(({ message }) => message ?? []))];
  return (
    <>
      <Text role="status">{countedOutcomes.join(', ')}</Text>
      {(error || messages.length > 0) && (
        <Notice tone="warning" title="Some actions weren’t completed" role="alert">
          {error ? getErrorText(error) : messages.join(' ')}
        </Notice>
      )}
    </>
  );
}

export function ProposalColumn({ companyId, mayManage, mayReword, column }: ProposalColumnProps) {
  const query = useProposals(companyId, column);
  const approve = useApprove(companyId);
  const [selectedIds, setSelected] = useState<ReadonlySet<string>>(new Set());
  const total = query.data?.pages[0]?.total;
  const select = (id: string) => {
    const next = new Set(selectedIds);
    if (!next.delete(id) && next.size < MAX_BULK_PROPOSALS) next.add(id);
    setSelected(next);
  };
  return (
    <SectionCard title={`${COLUMN_NAMES[column]}${total === undefined ? '' : ` (${total.toLocaleString('en-GB')})`}`}>
      <LoadState query={query} skeleton={<CardSkeleton lines={6} />}>
        {({ pages }) => {
          const proposals = pages.flatMap((page) => page.proposals);
          const chosenProposals = proposals.filter(({ proposal_id: id }) => selectedIds.has(id));
          return (
            <Stack gap={12}>
              {column === 'drafts' && proposals.length > 0 && (
                <BulkBar
                  companyId={companyId}
                  mayManage={mayManage}
                  proposals={proposals}
                  chosen={chosenProposals}
                  approve={approve}
                  onSelect={(ids) => setSelected(new Set(ids.slice(0, MAX_BULK_PROPOSALS)))}
                />
              )}
              {column !== 'done' && <ApprovalResult approve={approve} />}
              {proposals.length === 0 && <Text tone="quiet">{EMPTY_MESSAGES[column]}</Text>}
              <Stack as="ul" gap={12} aria-label={COLUMN_NAMES[column]}>
                {proposals.map((proposal) => (
                  <ProposalCard
                    key={proposal.proposal_id}
                    companyId={companyId}
                    proposal={proposal}
                    select={
                      column === 'drafts' && (
                        <BareCheckbox
                          label={`Select “${proposal.title}” for ${proposal.client.name}`}
                          checked={selectedIds.has(proposal.proposal_id)}
                          onChange={() => select(proposal.proposal_id)}
                        />
                      )
                    }
                  >
                    {column === 'done' ? (
                      <RevertButton companyId={companyId} proposal={proposal} />
                    ) : (
                      <DraftActions
                        companyId={companyId}
                        proposal={proposal}
                        mayManage={mayManage}
                        mayReword={mayReword}
                        isBusy={approve.isPending}
                        onApprove={() => approve.mutate([proposal])}
                      />
                    )}
                  </ProposalCard>
                ))}
              </Stack>
              {query.hasNextPage && (
                <Button variant="outlined" onClick={() => void query.fetchNextPage()} isBusy={query.isFetchingNextPage}>
                  Show more<HiddenText> of {COLUMN_NAMES[column]}</HiddenText>
                </Button>
              )}
            </Stack>
          );
        }}
      </LoadState>
    </SectionCard>
  );
}

type BulkBarProps = ColumnProps & {
  proposals: readonly AgentProposal[];
  chosen: readonly AgentProposal[];
  approve: ApprovalMutation;
  onSelect: (ids: readonly string[]) => void;
};

function BulkBar({ companyId, mayManage, proposals, chosen, approve, onSelect }: BulkBarProps) {
  const [isRejecting, setIsRejecting] = useState(false);
  const isAllChosen = chosen.length === proposals.length;
  return (
    <Row gap={8}>
      <BareCheckbox
        label="Select all drafts shown"
        checked={isAllChosen}
        isMixed={chosen.length > 0 && !isAllChosen}
        onChange={() => onSelect(isAllChosen ? [] : proposals.map(({ proposal_id: id }) => id))}
      />
      <Text as="span" size="small">
        {chosen.length === 0 ? 'Select drafts to decide them together' : `${chosen.length} selected`}
      </Text>
      {chosen.length > 0 && (
        <>
          <Button size="small" onClick={() => approve.mutate(chosen)} isBusy={approve.isPending}>
            Approve selected
          </Button>
          <Button size="small" variant="outlined" onClick={() => setIsRejecting(true)}>
            Reject selected
          </Button>
        </>
      )}
      {isRejecting && <RejectDialog companyId={companyId} proposals={chosen} mayManage={mayManage} onClose={() => setIsRejecting(false)} />}
    </Row>
  );
}

function RevertButton({ companyId, proposal }: { companyId: string; proposal: AgentProposal }) {
  const invalidate = useInvalidateAgent();
  const revert = useMutation({
    mutationFn: () => apiRequest(agentModeApi.revert, { company_id: companyId, proposal_id: proposal.proposal_id }),
    onSettled: invalidate,
  });
  if (!proposal.can_revert) return null;
  return (
    <Stack gap={4}>
      {revert.error && <Text role="alert">{getErrorText(revert.error)}</Text>}
      <Button size="small" variant="outlined" onClick={() => revert.mutate()} isBusy={revert.isPending}>
        Revert
        <HiddenText>
          {' '}
          “{proposal.title}” for {proposal.client.name}
        </HiddenText>
      </Button>
    </Stack>
  );
}
