/** Two or three monthly instalments. The dialog shows their amounts and dates before the user agrees to them. */
import { shortfallsApi } from '@portal/contract/shortfalls.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { MAX_INSTALMENTS, MIN_INSTALMENTS, planInstalments } from '@portal/domain/shortfalls/instalment-plan.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { sendWithIdempotencyKey } from '../../lib/idempotency-key.ts';
import { Radio } from '../../ui/choice.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import { DetailList } from './detail-list.tsx';
import type { ShortfallPartProps } from './shortfall-part.ts';

type DialogProps = ShortfallPartProps & { onClose: () => void };

const INSTALMENT_COUNTS = [MIN_INSTALMENTS, MAX_INSTALMENTS];

export function InstalmentsDialog({ shortfall, companyId, onClose }: DialogProps) {
  const [count, setCount] = useState(MAX_INSTALMENTS);
  const agreeOnInstalments = useMutation({
    mutationFn: () =>
      sendWithIdempotencyKey(`plan:${shortfall.shortfall_id}:${count}`, (idempotencyKey) =>
        apiRequest(
          shortfallsApi.planInstalments,
          { company_id: companyId, shortfall_id: shortfall.shortfall_id, count },
          { idempotencyKey },
        ),
      ),
    onSuccess: onClose,
  });
  const instalments = shortfall.due_on === null ? [] : planInstalments(shortfall.owed_pence, count, shortfall.due_on);
  return (
    <ConfirmDialog
      heading="Pay in instalments"
      mutation={agreeOnInstalments}
      onConfirm={() => agreeOnInstalments.mutate()}
      onClose={onClose}
      confirmLabel={`Agree to ${count} instalments`}
    >
      <Text>We don’t charge interest or fees. You can pay off the rest at any time.</Text>
      <Stack as="fieldset" gap={8} role="radiogroup" aria-label="Number of instalments">
        {INSTALMENT_COUNTS.map((option) => (
          <Radio
            key={option}
            name="instalments"
            label={`${option} monthly instalments`}
            checked={count === option}
            onChange={() => setCount(option)}
          />
        ))}
      </Stack>
      <DetailList
        details={instalments.map(({ number, amount, dueOn }) => ({
          name: `${number}. ${formatDate(dueOn)}`,
          value: formatPounds(amount),
        }))}
      />
    </ConfirmDialog>
  );
}
