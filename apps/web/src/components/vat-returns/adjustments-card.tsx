/** Amounts added to the boxes in addition to transactions. Each adjustment has a reason, which is stored with the return. */
import type { AdjustmentOutput, VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { InstantText } from '../formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { AdjustDialog } from './adjust-dialog.tsx';
import { getReturnApi, type ReturnTarget } from './return-api.ts';
import { RecordTable } from '../../ui/record-table.tsx';

type AdjustmentsCardProps = {
  data: VatReturnOutput;
  input: ReturnTarget;
  /** False once the return has been filed or is being filed. */
  canChange: boolean;
};

export function AdjustmentsCard({ data, input, canChange }: AdjustmentsCardProps) {
  const queryClient = useQueryClient();
  const [isAdding, setIsAdding] = useState(false);
  const remove = useMutation({
    mutationFn: (adjustmentId: string) => apiRequest(getReturnApi(input).removeAdjustment, { ...input, adjustment_id: adjustmentId }),
    onSuccess: (output) => queryClient.setQueryData(apiQuery(getReturnApi(input).get, input).queryKey, output),
  });
  if (data.adjustments.length === 0 && !canChange) return null;
  return (
    <SectionCard
      title="Adjustments"
      aside={
        canChange && (
          <Button variant="outlined" size="small" onClick={() => setIsAdding(true)}>
            Add an adjustment
          </Button>
        )
      }
    >
      <Stack gap={12}>
        {remove.error && (
          <Notice tone="error" title="We couldn’t remove the adjustment" role="alert">
            {getErrorText(remove.error)}
          </Notice>
        )}
        {data.adjustments.length === 0 ? (
          <Text tone="quiet" measure>
            No adjustments. Add one for VAT that isn’t in your transactions, such as a fuel scale charge or a partial exemption adjustment.
          </Text>
        ) : (
          <Adjustments
            adjustments={data.adjustments}
            remove={canChange ? (id) => remove.mutate(id) : undefined}
            isBusy={remove.isPending}
          />
        )}
      </Stack>
      {isAdding && <AdjustDialog data={data} input={input} onClose={() => setIsAdding(false)} />}
    </SectionCard>
  );
}

type AdjustmentsProps = { adjustments: readonly AdjustmentOutput[]; remove: ((id: string) => void) | undefined; isBusy: boolean };

function Adjustments({ adjustments, remove, isBusy }: AdjustmentsProps) {
  return (
    <RecordTable
      label="Adjustments"
      rows={adjustments}
      getKey={({ adjustment_id }) => adjustment_id}
      columns={[
        { title: 'Box', layout: 'nowrap', cell: ({ box }) => `Box ${box}` },
        { title: 'Reason', cell: ({ reason }) => reason },
        {
          title: 'Added by',
          cell: ({ made_by: name, made_at: at }) => (
            <>
              {name}, <InstantText at={at} />
            </>
          ),
        },
        { title: 'Amount', layout: 'numeric', cell: (adjustment) => formatPounds(adjustment.amount_pence) },
        remove && {
          title: 'Action',
          layout: 'action',
          cell: ({ adjustment_id: id, box, kind }) =>
            kind !== 'manual' ? null : (
              <Button variant="outlined" size="small" disabled={isBusy} onClick={() => remove(id)}>
                Remove
                <HiddenText> the adjustment to box {box}</HiddenText>
              </Button>
            ),
        },
      ]}
    />
  );
}
