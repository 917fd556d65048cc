import { advanceProposalsApi, type AdvanceProposalOutput } from '@portal/contract/advance-proposals.ts';
import { PROPOSAL_VALID_DAYS } from '@portal/domain/advance-proposals/proposal-stage.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextArea } from '../../ui/input.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Text } from '../../ui/text.tsx';
import type { ClientReturnTarget } from './client-return-target.ts';

const MAX_NOTE_LENGTH = 1000;

type DialogProps = {
  data: AdvanceProposalOutput;
  input: ClientReturnTarget;
  onClose: () => void;
  onProposed: (output: AdvanceProposalOutput) => void;
};

export function ProposeAdvanceDialog({ data: { refund_pence: refund, people }, input, onClose, onProposed }: DialogProps) {
  const id = useId();
  const [note, setNote] = useState('');
  const propose = useMutation({
    mutationFn: () => apiRequest(advanceProposalsApi.propose, { ...input, note }),
    onSuccess: (output) => {
      onProposed(output);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      heading="Propose an early refund"
      mutation={propose}
      onConfirm={() => propose.mutate()}
      onClose={onClose}
      confirmLabel="Propose"
      errorTitle="We couldn’t propose the early refund"
    >
      <Text>
        {people === 1 ? 'The person who has access will get' : `Everyone at the client who has access (${people} people) will get`} one
        email
        {refund !== null && ` about the refund of ${formatPounds(refund)}`}, with no reminders. It stays in the client portal for{' '}
        {PROPOSAL_VALID_DAYS} days.
      </Text>
      <Text>
        Only the client can accept an offer, through its own company on InstantVAT. You’ll see its progress, but not the amounts unless the
        client shares them.
      </Text>
      <FieldFrame id={`${id}-note`} label="Message (optional)" hint="Shown in the email and in the client portal.">
        <TextArea id={`${id}-note`} rows={3} value={note} maxLength={MAX_NOTE_LENGTH} onChange={({ target }) => setNote(target.value)} />
      </FieldFrame>
    </ConfirmDialog>
  );
}
