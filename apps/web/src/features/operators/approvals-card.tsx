/** Requests that need a second operator. The requester can only withdraw; someone else approves or rejects. */
import { approvalsApi } from '@portal/contract/approvals.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { sendWithIdempotencyKey } from '../../lib/idempotency-key.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { LineSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import styles from './approvals-card.module.css';
import { getReasonError, ReasonField } from './reason-field.tsx';

const REFRESH_MS = 15_000;

type Approvals = EndpointOutput<typeof approvalsApi.list>;
type ApprovalRequest = Approvals['requests'][number];
type Decision = 'approve' | 'reject' | 'withdraw';

const LABELS: Readonly<Record<Decision, { button: string; heading: string; text: string; saved: string }>> = {
  approve: {
    button: 'Approve',
    heading: 'Approve this request?',
    text: 'It’s applied immediately and recorded with both names.',
    saved: 'Request approved',
  },
  reject: { button: 'Reject', heading: 'Reject this request?', text: 'Nothing will change.', saved: 'Request rejected' },
  withdraw: { button: 'Withdraw', heading: 'Withdraw your request?', text: 'Nothing will change.', saved: 'Request withdrawn' },
};

export function ApprovalsCard() {
  const query = useQuery({ ...apiQuery(approvalsApi.list, {}), refetchInterval: REFRESH_MS });
  const count = query.data?.count ?? 0;
  return (
    <SectionCard title={count === 0 ? 'Requests awaiting a second person' : `Requests awaiting a second person (${count})`}>
      <LoadState query={query} skeleton={<LineSkeleton width="60%" height={24} />}>
        {({ requests }) => <RequestList requests={requests} count={count} />}
      </LoadState>
    </SectionCard>
  );
}

function RequestList({ requests, count }: Approvals) {
  const [open, setOpen] = useState<{ request: ApprovalRequest; decision: Decision }>();
  return (
    <>
      {requests.length === 0 ? (
        <Text>No requests. Changes that need two people appear here.</Text>
      ) : (
        <Stack as="ul" gap={0} aria-label="Requests awaiting a second person">
          {requests.map((request) => (
            <RequestRow key={request.request_id} request={request} decide={(decision) => setOpen({ request, decision })} />
          ))}
        </Stack>
      )}
      {requests.length < count && (
        <Text size="small" tone="quiet">
          Showing the oldest {requests.length} of {count}. Decide on some of these to see more.
        </Text>
      )}
      {open && <DecisionDialog key={open.request.request_id} {...open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function RequestRow({ request, decide }: { request: ApprovalRequest; decide: (decision: Decision) => void }) {
  const decisions: Decision[] = [
    ...(request.can_approve ? (['approve'] as const) : []),
    ...(request.can_decide ? (['reject'] as const) : []),
    ...(request.can_withdraw ? (['withdraw'] as const) : []),
  ];
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        {request.company_name !== null && (
          <Text as="strong" weight="bold">
            {request.company_name}
          </Text>
        )}
        <Text>{request.description}</Text>
        <Text size="small" tone="quiet">
          Requested by {request.requested_by}, <InstantText at={request.requested_at} />: {request.reason}
        </Text>
      </div>
      <Row gap={8}>
        {decisions.map((decision) => (
          <Button key={decision} variant={decision === 'approve' ? 'filled' : 'outlined'} size="small" onClick={() => decide(decision)}>
            {LABELS[decision].button}
            <HiddenText> request for {request.company_name ?? request.description}</HiddenText>
          </Button>
        ))}
      </Row>
    </li>
  );
}

function sendDecision({ company_id, request_id }: ApprovalRequest, decision: Decision, reason: string): Promise<unknown> {
  if (decision === 'reject') return apiRequest(approvalsApi.reject, { company_id, request_id, reason });
  if (decision === 'withdraw') return apiRequest(approvalsApi.withdraw, { company_id, request_id });
  return sendWithIdempotencyKey(`approval:${request_id}`, (idempotencyKey) =>
    apiRequest(approvalsApi.approve, { company_id, request_id }, { idempotencyKey }),
  );
}

type DecisionDialogProps = { request: ApprovalRequest; decision: Decision; onClose: () => void };

function DecisionDialog({ request, decision, onClose }: DecisionDialogProps) {
  const [reason, setReason] = useState('');
  const queryClient = useQueryClient();
  const toast = useToast();
  const { button, heading, text, saved } = LABELS[decision];
  const reasonError = decision === 'reject' ? getReasonError(reason) : undefined;
  const actionMutation = useMutation({
    mutationFn: () => sendDecision(request, decision, reason.trim()),
    onSuccess: () => {
      toast('success', saved);
      onClose();
    },
    // An approved action can change anything that operators see.
    onSettled: () => queryClient.invalidateQueries(),
  });
  return (
    <ConfirmDialog
      heading={heading}
      mutation={actionMutation}
      onConfirm={() => actionMutation.mutate()}
      onClose={onClose}
      confirmLabel={button}
      missing={reasonError}
      errorTitle="Not saved"
    >
      <Text>{request.description}</Text>
      <Text>
        {request.requested_by}’s reason: {request.reason}
      </Text>
      <Text tone="quiet">{text}</Text>
      {decision === 'reject' && <ReasonField id="approval-reason" value={reason} onChange={setReason} />}
    </ConfirmDialog>
  );
}
