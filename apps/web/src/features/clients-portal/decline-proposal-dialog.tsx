import { advanceProposalsApi, type OwnProposals } from '@portal/contract/advance-proposals.ts';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { clientText } from '../../lib/client-texts/client-texts.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextArea } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';

const MAX_REASON_LENGTH = 1000;

type DialogProps = {
  input: { company_id: string; proposal_id: string };
  practice: string;
  onClose: () => void;
  onDeclined: (output: OwnProposals) => void;
};

export function DeclineProposalDialog({ input, practice, onClose, onDeclined }: DialogProps) {
  const id = useId();
  const [reason, setReason] = useState('');
  const decline = useMutation({
    mutationFn: () => apiRequest(advanceProposalsApi.decline, { ...input, reason }),
    onSuccess: (output) => {
      onClose();
      onDeclined(output);
    },
  });
  return (
    <ModalDialog
      small
      open
      heading={clientText('early.decline.title')}
      onClose={onClose}
      loading={decline.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={decline.isPending}>
            {clientText('early.decline.back')}
          </Button>
          <Button isBusy={decline.isPending} onClick={() => decline.mutate()}>
            {clientText('early.decline')}
          </Button>
        </>
      }
    >
      <Stack gap={16}>
        {decline.error && (
          <Notice tone="error" title={clientText('early.failed')} role="alert">
            {getErrorText(decline.error)}
          </Notice>
        )}
        <Text>{clientText('early.decline.text', { practice })}</Text>
        <FieldFrame id={`${id}-reason`} label={clientText('early.decline.reason', { practice })}>
          <TextArea
            id={`${id}-reason`}
            rows={3}
            value={reason}
            maxLength={MAX_REASON_LENGTH}
            onChange={({ target }) => setReason(target.value)}
          />
        </FieldFrame>
      </Stack>
    </ModalDialog>
  );
}
