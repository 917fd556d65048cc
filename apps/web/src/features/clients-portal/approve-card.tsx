import { clientPortalApi } from '@portal/contract/client-portal.ts';
import { returnApprovalsApi, type OwnReturnOutput } from '@portal/contract/return-approvals.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { clientText } from '../../lib/client-texts/client-texts.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { MissingLine } from '../../ui/missing-line.tsx';
import { Text } from '../../ui/text.tsx';

type ApproveCardProps = { data: OwnReturnOutput; input: { company_id: string; approval_id: string } };

/** Approves exactly the figures shown above: the request includes their version. */
export function ApproveCard({ data, input }: ApproveCardProps) {
  const id = useId();
  const queryClient = useQueryClient();
  const [isConfirmed, setConfirmed] = useState(false);
  const approve = useMutation({
    mutationFn: () => apiRequest(returnApprovalsApi.approve, { ...input, digest: data.digest, confirm: true }),
    onSuccess: (output) => {
      queryClient.setQueryData(apiQuery(returnApprovalsApi.ownGet, input).queryKey, output);
      for (const { path } of [returnApprovalsApi.ownList, clientPortalApi.overview])
        void queryClient.invalidateQueries({ queryKey: [path] });
    },
    // Someone may have withdrawn or approved the figures in the meantime.
    onError: () => void queryClient.invalidateQueries({ queryKey: [returnApprovalsApi.ownGet.path] }),
  });
  return (
    <SectionCard title={clientText('approve.title')}>
      <Stack gap={12} align="start">
        {approve.error && (
          <Notice tone="error" title={clientText('approve.failed')} role="alert">
            {getErrorText(approve.error)}
          </Notice>
        )}
        <Text measure>
          {clientText('approve.result', { result: clientText(`result.${data.boxes.direction}`) })}{' '}
          <strong>{formatPounds(data.boxes.box5_pence)}</strong>.{' '}
          {clientText('approve.text', { practice: data.practice, client: data.client })}
        </Text>
        <Checkbox label={clientText('approve.confirm')} checked={isConfirmed} onChange={({ target }) => setConfirmed(target.checked)} />
        <Button isBusy={approve.isPending} disabled={!isConfirmed} aria-describedby={id} onClick={() => approve.mutate()}>
          {clientText('approve.send')}
        </Button>
        <MissingLine id={id}>{isConfirmed ? undefined : clientText('approve.missing')}</MissingLine>
      </Stack>
    </SectionCard>
  );
}
