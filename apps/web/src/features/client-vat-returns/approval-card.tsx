/** Shows whether the client has approved the figures, and the next step. */
import { advanceProposalsApi } from '@portal/contract/advance-proposals.ts';
import { clientReturnsApi } from '@portal/contract/client-returns.ts';
import { returnApprovalsApi, type ApprovalOutput, type ReturnApproval } from '@portal/contract/return-approvals.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { getResultLabel } from '../../components/vat-returns/return-api.ts';
import { APPROVAL_CHIPS } from '../../components/vat-returns/return-chips.ts';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ApprovedOutsideDialog, SendForApprovalDialog } from './approval-dialogs.tsx';
import type { ClientReturnTarget } from './client-return-target.ts';

type ApprovalCardProps = {
  output: ApprovalOutput;
  /** The version of the figures to send, or null if the return can't be filed now. */
  version: string | null;
  input: ClientReturnTarget;
};

export function ApprovalCard({ output, version, input }: ApprovalCardProps) {
  const { approval, people, may } = output;
  const [dialog, setDialog] = useState<'send' | 'outside' | null>(null);
  const live = approval !== null && approval.ended_at === null ? approval : null;
  const setApproval = useSetApproval(input);
  const withdraw = useMutation({
    mutationFn: (approvalId: string) => apiRequest(returnApprovalsApi.withdraw, { ...input, approval_id: approvalId }),
    onSuccess: setApproval,
  });
  const canSend = version !== null && live?.state !== 'approved';
  if (approval === null && version === null) return null;
  return (
    <SectionCard title="Client’s approval" aside={approval ? <StateChip {...APPROVAL_CHIPS[approval.state]} /> : undefined}>
      <Stack gap={16}>
        {withdraw.error && (
          <Notice tone="error" title="We couldn’t withdraw it" role="alert">
            {getErrorText(withdraw.error)}
          </Notice>
        )}
        <ApprovalExplanation approval={approval} />
        {approval && <ApprovalFacts approval={approval} input={input} />}
        {canSend && people === 0 && (
          <Notice tone="info" title="No one at this client can approve the return here yet">
            <TextLink to={getPageLink('clientDashboard', { company_id: input.company_id, client_id: input.client_id, tab: 'people' })}>
              Invite someone to the client portal
            </TextLink>{' '}
            first.
          </Notice>
        )}
        <ButtonRow>
          {canSend && people > 0 && (
            <Button variant={live ? 'outlined' : 'filled'} onClick={() => setDialog('send')}>
              {live ? 'Send again' : 'Send for approval'}
            </Button>
          )}
          {canSend && may.approve_outside && (
            <Button variant="outlined" onClick={() => setDialog('outside')}>
              Client approved elsewhere
            </Button>
          )}
          {live && version !== null && (
            <Button variant="text" isBusy={withdraw.isPending} onClick={() => withdraw.mutate(live.approval_id)}>
              {live.state === 'approved' ? 'Withdraw approval' : 'Withdraw'}
            </Button>
          )}
        </ButtonRow>
      </Stack>
      {dialog === 'send' && version !== null && (
        <SendForApprovalDialog
          input={input}
          version={version}
          people={people}
          mayMessage={may.message}
          onClose={() => setDialog(null)}
          onSent={setApproval}
        />
      )}
      {dialog === 'outside' && version !== null && (
        <ApprovedOutsideDialog input={input} version={version} onClose={() => setDialog(null)} onSent={setApproval} />
      )}
    </SectionCard>
  );
}

/** Caches the response to a request that changes the approval. */
export function useSetApproval(input: ClientReturnTarget): (output: ApprovalOutput) => void {
  const queryClient = useQueryClient();
  return (output) => {
    queryClient.setQueryData(apiQuery(returnApprovalsApi.get, input).queryKey, output);
    void queryClient.invalidateQueries({ queryKey: [clientReturnsApi.get.path] });
    void queryClient.invalidateQueries({ queryKey: [returnApprovalsApi.stages.path] });
    // A refund can be proposed once its return has been approved.
    void queryClient.invalidateQueries({ queryKey: [advanceProposalsApi.get.path] });
  };
}

function ApprovalExplanation({ approval }: { approval: ReturnApproval | null }): ReactNode {
  if (approval === null || approval.state === 'withdrawn')
    return <Text measure>The client must approve the figures before you file them. Send them once you’ve checked the boxes.</Text>;
  if (approval.state !== 'changed') return null;
  return (
    <Notice tone="warning" title="The figures have changed since they were sent">
      {approval.decided_at === null ? 'The client can no longer approve the previous figures.' : 'The approval no longer applies.'} Check
      the boxes, then send the new figures.
    </Notice>
  );
}

function ApprovalFacts({ approval, input }: { approval: ReturnApproval; input: ClientReturnTarget }) {
  const { boxes } = approval;
  return (
    <FactList
      facts={[
        { label: 'Figures sent', value: `${getResultLabel(input, boxes)}: ${formatPounds(boxes.box5_pence)}` },
        ...(approval.is_outside
          ? []
          : [
              {
                label: 'Sent',
                value: (
                  <>
                    <InstantText at={approval.requested_at} />, by {approval.requested_by}
                  </>
                ),
              },
            ]),
        ...(approval.reminded_at === null ? [] : [{ label: 'Reminded', value: <InstantText at={approval.reminded_at} /> }]),
        ...(approval.decided_at === null
          ? []
          : [
              {
                label: approval.is_outside ? 'Recorded as approved elsewhere' : 'Approved',
                value: (
                  <>
                    <InstantText at={approval.decided_at} />, by {approval.decided_by}
                    {approval.decided_from !== null && approval.decided_from !== '' && `, from ${approval.decided_from}`}
                  </>
                ),
              },
            ]),
        ...(approval.reason === '' ? [] : [{ label: approval.is_outside ? 'How' : 'Your message', value: approval.reason }]),
      ]}
    />
  );
}
