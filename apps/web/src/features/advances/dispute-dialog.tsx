/** Disputes a shortfall, which stops collection immediately. */
import { shortfallsApi } from '@portal/contract/shortfalls.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextArea } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Text } from '../../ui/text.tsx';
import type { ShortfallPartProps } from './shortfall-part.ts';
import { SubmitButton } from '../../ui/submit-button.tsx';

const HINT = 'For example, what HMRC’s letter says, and its date.';

export function DisputeDialog({ open, shortfall, companyId, onClose }: ShortfallPartProps & { open: boolean; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const dispute = useMutation({
    mutationFn: () => apiRequest(shortfallsApi.dispute, { company_id: companyId, shortfall_id: shortfall.shortfall_id, reason }),
    onSuccess: onClose,
  });
  return (
    <ModalDialog
      open={open}
      small
      heading="Dispute this amount"
      loading={dispute.isPending}
      onClose={onClose}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={dispute.isPending}>
            Cancel
          </Button>
          <SubmitButton
            missing={reason.trim().length < 3 ? 'Tell us why you disagree.' : undefined}
            isBusy={dispute.isPending}
            onClick={() => dispute.mutate()}
          >
            Send dispute
          </SubmitButton>
        </>
      }
    >
      <Stack>
        <Text>We’ll stop collecting immediately and look into it. We’ll reply by email, usually within 14 days.</Text>
        <FieldFrame id="dispute-reason" label="Why do you disagree?" hint={HINT}>
          <TextArea
            id="dispute-reason"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            rows={4}
            maxLength={500}
            aria-describedby={getDescribedBy('dispute-reason', HINT, undefined)}
            aria-required
          />
        </FieldFrame>
        {dispute.error && (
          <Text role="alert" tone="error" weight="medium">
            {getErrorText(dispute.error)}
          </Text>
        )}
      </Stack>
    </ModalDialog>
  );
}
