/** Invites selected clients to the client portal: shows the number, a sample and who is left out, then opens the run's page. */
import type { ClientSelection } from '@portal/contract/clients.ts';
import { invitationRunsApi } from '@portal/contract/invitation-runs.ts';
import { NOT_INVITED_REASONS, type NotInvitedReason } from '@portal/domain/invitation-runs/invitation-run.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { formatClientCount } from '../../lib/client-labels.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { LineSkeleton } from '../../ui/skeletons.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

const REASON_LABELS: Readonly<Record<NotInvitedReason, string>> = {
  no_email: 'no email address',
  undeliverable: 'email address undeliverable',
  has_access: 'already given access',
  already_invited: 'already invited',
  archived: 'archived or closed',
};

type Props = { companyId: string; selection: ClientSelection; count: number; onClose: () => void };

export function InviteClientsDialog({ companyId, selection, count, onClose }: Props) {
  // The same for every click, so that a second click doesn't invite anyone again.
  const [runId] = useState(() => crypto.randomUUID());
  const queryClient = useQueryClient();
  const target = { company_id: companyId, ...selection };
  const preview = useQuery({ ...apiQuery(invitationRunsApi.preview, target), staleTime: 0, gcTime: 0 });
  const start = useMutation({
    mutationFn: (readyCount: number) => apiRequest(invitationRunsApi.start, { ...target, run_id: runId, count: readyCount }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [invitationRunsApi.list.path] }),
    onError: () => void preview.refetch(),
  });
  const readyCount = preview.data?.ready ?? 0;
  const invalidateClients = useInvalidateClients();
  // Invited clients drop out of a list filtered by clients not yet invited.
  const finish = (): void => {
    void invalidateClients();
    onClose();
  };
  return (
    <ModalDialog
      open
      small
      heading={start.data ? 'Invitations are being sent' : `Invite ${formatClientCount(count)} to the client portal`}
      onClose={start.data ? finish : onClose}
      loading={start.isPending}
      actions={
        start.data ? (
          <Button onClick={finish}>Done</Button>
        ) : (
          <>
            <Button variant="outlined" onClick={onClose} disabled={start.isPending}>
              Cancel
            </Button>
            <SubmitButton
              missing={preview.isFetching ? 'Counting clients…' : readyCount === 0 ? 'None of these clients can be invited.' : undefined}
              isBusy={start.isPending}
              onClick={() => start.mutate(readyCount)}
            >
              Invite {formatClientCount(readyCount)}
            </SubmitButton>
          </>
        )
      }
    >
      {start.data ? (
        <Text role="status">
          You can close this window.{' '}
          <TextLink to={getPageLink('clientInvitations', { company_id: companyId, run_id: runId })}>See progress</TextLink>
        </Text>
      ) : (
        <LoadState query={preview} skeleton={<LineSkeleton width="80%" height={20} />}>
          {({ sample, left_out: leftOut }) => (
            <Stack>
              <Text>
                {formatClientCount(readyCount)} will each get an email with their own link, which works for 21 days. We’ll remind them up to
                three times.
              </Text>
              {sample.length > 0 && (
                <Stack as="ul" gap={4}>
                  {sample.map(({ name, email }) => (
                    <Text as="li" key={`${name} ${email}`}>
                      {name}: {email}
                    </Text>
                  ))}
                  {readyCount > sample.length && <Text as="li">and {(readyCount - sample.length).toLocaleString('en-GB')} more</Text>}
                </Stack>
              )}
              {NOT_INVITED_REASONS.filter((reason) => leftOut[reason] > 0).map((reason) => (
                <Text key={reason} size="small" tone="quiet">
                  Excluded: {formatClientCount(leftOut[reason])}, {REASON_LABELS[reason]}
                </Text>
              ))}
            </Stack>
          )}
        </LoadState>
      )}
      {start.error !== null && (
        <Notice tone="error" title="No one was invited" role="alert">
          {getErrorText(start.error)}
        </Notice>
      )}
    </ModalDialog>
  );
}
