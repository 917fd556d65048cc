/**
 * Proposes to the client that its company gets the refund early, and shows the progress. Amounts are included only as long as the client
 * shares them.
 */
import { advanceProposalsApi, type AdvanceProposal, type AdvanceProposalOutput } from '@portal/contract/advance-proposals.ts';
import { isAnswerable, isFinalStage } from '@portal/domain/advance-proposals/proposal-stage.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ComponentProps } from 'react';
import { DateText, InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FactList, type Fact } from '../../ui/fact-list.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import type { ClientReturnTarget } from './client-return-target.ts';
import { ProposeAdvanceDialog } from './propose-advance-dialog.tsx';

const CHIPS: Record<AdvanceProposal['stage'], ComponentProps<typeof StateChip>> = {
  proposed: { label: 'Proposed', icon: 'clock', tone: 'info' },
  seen: { label: 'Seen by the client', icon: 'clock', tone: 'info' },
  started: { label: 'Started on InstantVAT', icon: 'clock', tone: 'info' },
  accepted: { label: 'Offer accepted', icon: 'check', tone: 'success' },
  paid: { label: 'Paid to the client', icon: 'check', tone: 'success' },
  settled: { label: 'Settled', icon: 'check', tone: 'success' },
  declined: { label: 'Declined', icon: 'info', tone: 'warning' },
  withdrawn: { label: 'Withdrawn', icon: 'info', tone: 'info' },
  expired: { label: 'Expired', icon: 'info', tone: 'info' },
  ended: { label: 'Ended', icon: 'info', tone: 'info' },
};

export function AdvanceProposalCard({ input }: { input: ClientReturnTarget }) {
  const query = useQuery(apiQuery(advanceProposalsApi.get, input));
  const { data } = query;
  // Render nothing while loading, because most returns don't have a refund to propose.
  if (!data || (data.proposal === null && data.refund_pence === null)) return null;
  return <ProposalCard data={data} input={input} />;
}

function ProposalCard({ data, input }: { data: AdvanceProposalOutput; input: ClientReturnTarget }) {
  const { proposal } = data;
  const queryClient = useQueryClient();
  const [isProposing, setProposing] = useState(false);
  const setOutput = (output: AdvanceProposalOutput) => queryClient.setQueryData(apiQuery(advanceProposalsApi.get, input).queryKey, output);
  const withdraw = useMutation({
    mutationFn: (proposalId: string) => apiRequest(advanceProposalsApi.withdraw, { ...input, proposal_id: proposalId }),
    onSuccess: setOutput,
    // The client may have answered in the meantime.
    onError: () => void queryClient.invalidateQueries({ queryKey: [advanceProposalsApi.get.path] }),
  });
  const canPropose = proposal === null || (isFinalStage(proposal.stage) && proposal.stage !== 'declined');
  return (
    <SectionCard title="Early refund" aside={proposal ? <StateChip {...CHIPS[proposal.stage]} /> : undefined}>
      <Stack gap={16}>
        {withdraw.error && (
          <Notice tone="error" title="We couldn’t withdraw it" role="alert">
            {getErrorText(withdraw.error)}
          </Notice>
        )}
        {proposal && <NextStep proposal={proposal} />}
        {proposal && <ProposalFacts proposal={proposal} />}
        {canPropose && <ReasonText data={data} input={input} />}
        <ButtonRow>
          {canPropose && data.problem === null && data.people > 0 && data.may_propose && (
            <Button variant="outlined" onClick={() => setProposing(true)}>
              Propose an early refund…
            </Button>
          )}
          {proposal && isAnswerable(proposal.stage) && data.may_propose && (
            <Button variant="text" isBusy={withdraw.isPending} onClick={() => withdraw.mutate(proposal.proposal_id)}>
              Withdraw
            </Button>
          )}
        </ButtonRow>
      </Stack>
      {isProposing && <ProposeAdvanceDialog data={data} input={input} onClose={() => setProposing(false)} onProposed={setOutput} />}
    </SectionCard>
  );
}

/** Why an early refund makes sense, or why it can't be proposed. */
function ReasonText({ data, input }: { data: AdvanceProposalOutput; input: ClientReturnTarget }) {
  const { refund_pence: refund, problem, people, may_propose: mayPropose } = data;
  if (problem !== null)
    return (
      <Text tone="quiet" measure>
        An early refund can’t be proposed. {problem}
      </Text>
    );
  if (people === 0)
    return (
      <Text measure>
        The client could have this refund early, but no one at the client has access to the client portal yet.{' '}
        <TextLink to={getPageLink('clientDashboard', { company_id: input.company_id, client_id: input.client_id, tab: 'people' })}>
          Invite someone
        </TextLink>{' '}
        first.
      </Text>
    );
  return (
    <Text measure>
      This return results in a refund
      {refund !== null && (
        <>
          {' '}
          of <strong>{formatPounds(refund)}</strong>
        </>
      )}
      . The client could have it early through InstantVAT, for a fee. You propose it; only the client can accept an offer.
      {!mayPropose && ' You need the “Propose early refunds” permission to propose it. Ask an admin of your practice.'}
    </Text>
  );
}

function NextStep({ proposal: { stage, last_day: lastDay } }: { proposal: AdvanceProposal }) {
  switch (stage) {
    case 'proposed':
    case 'seen':
      return (
        <Text measure>
          The client can respond until <DateText date={lastDay} />. You’ll see its progress once they continue on InstantVAT.
        </Text>
      );
    case 'started':
      return (
        <Text measure>The client is looking at an offer, or setting up its company on InstantVAT. You don’t need to do anything.</Text>
      );
    case 'accepted':
      return <Text measure>The client has accepted an offer. We’ll check it and then pay the client.</Text>;
    case 'paid':
      return <Text measure>The client has been paid. HMRC’s repayment goes to InstantVAT.</Text>;
    case 'settled':
      return <Text measure>Everything is settled.</Text>;
    case 'declined':
      return <Text measure>The client has declined it, so it can’t be proposed again for this period.</Text>;
    default:
      return null;
  }
}

function ProposalFacts({ proposal }: { proposal: AdvanceProposal }) {
  const { figures, note, ended_reason: reason, ended_at: endedAt } = proposal;
  const times: readonly (readonly [string, AdvanceProposal['seen_at']])[] = [
    ['Seen', proposal.seen_at],
    ['Started', proposal.started_at],
    ['Offer accepted', proposal.accepted_at],
    ['Paid', proposal.paid_at],
    ['Settled', proposal.settled_at],
    [proposal.stage === 'declined' ? 'Declined' : 'Withdrawn', endedAt],
  ];
  const facts: Fact[] = [
    {
      label: 'Proposed',
      value: (
        <>
          <InstantText at={proposal.proposed_at} />, by {proposal.proposed_by}
        </>
      ),
    },
    ...times.flatMap(([label, at]) => (at === null ? [] : [{ label, value: <InstantText at={at} /> }])),
    ...(note === '' ? [] : [{ label: 'Your message', value: note }]),
    ...(reason === '' ? [] : [{ label: 'Client’s reason', value: reason }]),
    ...(proposal.started_at === null || isFinalStage(proposal.stage)
      ? []
      : [{ label: 'Amount and fee', value: <Amounts figures={figures} /> }]),
  ];
  return <FactList facts={facts} />;
}

function Amounts({ figures }: { figures: AdvanceProposal['figures'] }) {
  if (figures === null) return 'Not shared by the client';
  const { net_pence: net, fee_pence: fee } = figures;
  return net === null || fee === null ? 'No offer yet' : `${formatPounds(net)} for the client, ${formatPounds(fee)} fee`;
}
