/** Early refunds proposed by the practice: an explanation, an example price, and the client's decision. */
import { advanceProposalsApi, type OwnAdvanceProposal, type OwnProposals } from '@portal/contract/advance-proposals.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { priceRefund } from '@portal/domain/advances/price-refund.ts';
import { isAnswerable } from '@portal/domain/advance-proposals/proposal-stage.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { ORGANIC_PARTNER } from '@portal/domain/partners/partner-name.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { clientDate, clientText } from '../../lib/client-texts/client-texts.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { periodText } from '../../lib/period-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { DeclineProposalDialog } from './decline-proposal-dialog.tsx';

type CardProps = { proposal: OwnAdvanceProposal; clientId: string; today: PlainDate };

export function EarlyRefunds({ clientId, today }: { clientId: string; today: PlainDate }) {
  const { data } = useQuery(apiQuery(advanceProposalsApi.ownList, { company_id: clientId }));
  return (
    <>
      {data?.proposals.map((proposal) => (
        <EarlyRefund key={proposal.proposal_id} proposal={proposal} clientId={clientId} today={today} />
      ))}
      {data !== undefined && data.earlier.length > 0 && <EarlierRefunds earlier={data.earlier} />}
    </>
  );
}

/** Proposals whose cards are no longer on the dashboard. */
function EarlierRefunds({ earlier }: { earlier: OwnProposals['earlier'] }) {
  return (
    <SectionCard title={clientText('early.earlier')}>
      <Stack as="ul" gap={8} aria-label={clientText('early.earlier')}>
        {earlier.map(({ proposal_id: id, stage, period_start: start, period_end: end }) => (
          <Text as="li" key={id}>
            <strong>{periodText(start, end)}</strong>: {clientText(getStageText(stage))}
          </Text>
        ))}
      </Stack>
    </SectionCard>
  );
}

const getStageText = (stage: OwnAdvanceProposal['stage']) =>
  `early.stage.${stage === 'accepted' || stage === 'paid' ? stage : 'settled'}` as const;

function EarlyRefund({ proposal, clientId, today }: CardProps) {
  const { practice, stage, proposed_by: proposedBy, note, last_day: lastDay } = proposal;
  const input = { company_id: clientId, proposal_id: proposal.proposal_id };
  useMarkSeen(proposal, input);
  return (
    <SectionCard title={clientText('early.title', { period: periodText(proposal.period_start, proposal.period_end) })}>
      <Stack gap={16}>
        {note !== '' && (
          <Notice tone="info" title={clientText('early.note', { person: proposedBy, practice })}>
            {note}
          </Notice>
        )}
        {isAnswerable(stage) ? (
          <>
            <Text measure>{clientText('early.what', { person: proposedBy, practice })}</Text>
            <AdvancePrice proposal={proposal} today={today} />
            <Text size="small" tone="quiet" measure>
              {clientText('early.who', { practice, date: clientDate(lastDay) })}
            </Text>
          </>
        ) : (
          <Text measure>{clientText(getStageText(stage))}</Text>
        )}
        <ProposalActions proposal={proposal} input={input} />
      </Stack>
    </SectionCard>
  );
}

/** InstantVAT's standard price. The actual offer is calculated from the return at HMRC. */
function AdvancePrice({ proposal: { refund_pence: refund }, today }: { proposal: OwnAdvanceProposal; today: PlainDate }) {
  const price =
    refund === null ? undefined : priceRefund(refund, getPartner(ORGANIC_PARTNER).feeRateBps, getAdvanceTerms(today).minimumFeePence);
  if (!price) return <Text measure>{clientText('early.changed')}</Text>;
  return (
    <Stack gap={8}>
      <FactList
        facts={[
          { label: clientText('early.refund'), value: formatPounds(price.refund) },
          { label: clientText('early.fee'), value: formatPounds(price.fee) },
          { label: clientText('early.net'), value: <strong>{formatPounds(price.net)}</strong> },
        ]}
      />
      <Text size="small" tone="quiet" measure>
        {clientText('early.example')}
      </Text>
    </Stack>
  );
}

type ProposalInput = { company_id: string; proposal_id: string };

function useOwnProposalsCache() {
  const queryClient = useQueryClient();
  return {
    store: (clientId: string, output: OwnProposals) =>
      queryClient.setQueryData(apiQuery(advanceProposalsApi.ownList, { company_id: clientId }).queryKey, output),
    // The practice may have withdrawn the proposal, or someone else at the client may have responded.
    reload: () => void queryClient.invalidateQueries({ queryKey: [advanceProposalsApi.ownList.path] }),
  };
}

/** Reports to the practice that the card has been on screen. If the request fails, the proposal remains unseen. */
function useMarkSeen({ is_seen: isSeen, stage }: OwnAdvanceProposal, input: ProposalInput): void {
  const { store } = useOwnProposalsCache();
  const { mutate } = useMutation({
    mutationFn: (seenInput: ProposalInput) => apiRequest(advanceProposalsApi.see, seenInput),
    onSuccess: (output) => store(input.company_id, output),
  });
  const { company_id: clientId, proposal_id: proposalId } = input;
  const isNew = !isSeen && stage === 'proposed';
  useEffect(() => {
    if (isNew) mutate({ company_id: clientId, proposal_id: proposalId });
  }, [isNew, clientId, proposalId, mutate]);
}

function ProposalActions({ proposal, input }: { proposal: OwnAdvanceProposal; input: ProposalInput }) {
  const { practice, stage, trader, is_starter: isStarter, started_by: startedBy } = proposal;
  const navigate = useNavigate();
  const { store, reload } = useOwnProposalsCache();
  const [isDeclining, setDeclining] = useState(false);
  const [sharingChoice, setSharingChoice] = useState<boolean>();
  const isShared = sharingChoice ?? proposal.shares_figures;
  // Each user decides for themselves whether to share: someone who takes over must choose again, whereas the person who started has already
  // chosen.
  const start = useMutation({
    mutationFn: () => apiRequest(advanceProposalsApi.start, { ...input, share_figures: sharingChoice ?? false }),
    onSuccess: async (output) => {
      store(input.company_id, output);
      const startedProposal = output.proposals.find(({ proposal_id: id }) => id === input.proposal_id);
      if (startedProposal) await navigate(getLink(startedProposal, input));
    },
    onError: reload,
  });
  const share = useMutation({
    mutationFn: (shouldShare: boolean) => apiRequest(advanceProposalsApi.shareFigures, { ...input, share: shouldShare }),
    onSuccess: (output) => store(input.company_id, output),
    onError: () => {
      setSharingChoice(undefined);
      reload();
    },
  });
  const error = start.error ?? share.error;
  const canAnswer = isAnswerable(stage);
  // Once the request has been started, save changes to the choice immediately.
  const changeShared = (shouldShare: boolean) => {
    setSharingChoice(shouldShare);
    if (startedBy !== null && (isStarter || !shouldShare)) share.mutate(shouldShare);
  };
  return (
    <Stack gap={12} align="start">
      {error && (
        <Notice tone="error" title={clientText('early.failed')} role="alert">
          {getErrorText(error)}
        </Notice>
      )}
      {startedBy !== null && !isStarter && <Text measure>{clientText('early.started_by', { person: startedBy })}</Text>}
      <Checkbox
        label={clientText('early.share', { practice })}
        hint={clientText('early.share.hint')}
        checked={isShared}
        disabled={share.isPending || (startedBy !== null && !isStarter && !canAnswer && !isShared)}
        onChange={({ target }) => changeShared(target.checked)}
      />
      <ButtonRow>
        {canAnswer && (
          <Button isBusy={start.isPending} onClick={() => start.mutate()}>
            {clientText(isStarter ? 'early.continue' : 'early.open')}
          </Button>
        )}
        {canAnswer && (
          <Button variant="text" onClick={() => setDeclining(true)}>
            {clientText('early.decline')}
          </Button>
        )}
        {!canAnswer && trader !== null && (
          <Button variant="outlined" to={getLink(proposal, input)}>
            {clientText('early.follow')}
          </Button>
        )}
      </ButtonRow>
      {isDeclining && (
        <DeclineProposalDialog
          input={input}
          practice={practice}
          onClose={() => setDeclining(false)}
          onDeclined={(output) => store(input.company_id, output)}
        />
      )}
    </Stack>
  );
}

/** Links to the offer, to the return for requesting one, or to the step for adding the company. */
function getLink({ trader }: OwnAdvanceProposal, { company_id: clientId, proposal_id }: ProposalInput): string {
  if (trader === null) return getPageLink('stepCompany', { existing_user: '1', client_id: clientId, proposal_id });
  const { company_id, obligation_id } = trader;
  if (obligation_id === null) return getPageLink('dashboard', { company_id });
  return getPageLink(trader.has_offer ? 'advance' : 'vatReturn', { company_id, obligation_id });
}
