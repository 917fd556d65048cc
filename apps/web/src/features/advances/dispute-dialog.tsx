/** Disputes a shortfall, which stops collection immediately. */
import { shortfallsApi } from '@portal/contract/shortfalls.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextArea } from '../../ui/input.tsx';
import { Text } from '../../ui/text.tsx';
import type { ShortfallPartProps } from './shortfall-part.ts';

const HINT = 'For example, what HMRC’s letter says, and its date.';

export function DisputeDialog({ shortfall, companyId, onClose }: ShortfallPartProps & { onClose: () => void }) {
  const [reason, setReason] = useState('');
  const dispute = useMutation({
    mutationFn: () => apiRequest(shortfallsApi.dispute, { company_id: companyId, shortfall_id: shortfall.shortfall_id, reason }),
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      heading="Dispute this amount"
      mutation={dispute}
      onConfirm={() => dispute.mutate()}
      onClose={onClose}
      confirmLabel="Send dispute"
      missing={reason.trim().length < 3 ? 'Tell us why you disagree.' : undefined}
    >
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
    </ConfirmDialog>
  );
}
