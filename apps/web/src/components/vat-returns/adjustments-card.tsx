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
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { AdjustDialog } from './adjust-dialog.tsx';
import { getReturnApi, type ReturnTarget } from './return-api.ts';
import { RecordCards } from '../../ui/record-cards.tsx';
import { CARD_LAYOUT_QUERY, useMediaQuery } from '../../lib/use-media-query.ts';

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
  const showsCards = useMediaQuery(CARD_LAYOUT_QUERY);
  const renderAction = ({ adjustment_id: id, box, kind }: AdjustmentOutput) =>
    remove &&
    kind === 'manual' && (
      <Button variant={showsCards ? 'outlined' : 'text'} size="small" disabled={isBusy} onClick={() => remove(id)}>
        Remove
        <HiddenText> the adjustment to box {box}</HiddenText>
      </Button>
    );
  if (showsCards) {
    return (
      <RecordCards
        label="Adjustments"
        cards={adjustments.map((adjustment) => ({
          key: adjustment.adjustment_id,
          title: `Box ${adjustment.box}: ${formatPounds(adjustment.amount_pence)}`,
          facts: [
            { label: 'Reason', value: adjustment.reason },
            { label: 'Added by', value: <AdjustmentAuthor adjustment={adjustment} /> },
          ],
          action: renderAction(adjustment),
        }))}
      />
    );
  }
  return (
    <Table label="Adjustments" flush>
      <thead>
        <tr>
          <th scope="col">Box</th>
          <th scope="col">Reason</th>
          <th scope="col">Added by</th>
          <th scope="col" data-numeric>
            Amount
          </th>
          {remove && (
            <th scope="col">
              <HiddenText>Remove</HiddenText>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {adjustments.map((adjustment) => (
          <tr key={adjustment.adjustment_id}>
            <th scope="row" data-nowrap>
              Box {adjustment.box}
            </th>
            <td>{adjustment.reason}</td>
            <td>
              <AdjustmentAuthor adjustment={adjustment} />
            </td>
            <td data-numeric>{formatPounds(adjustment.amount_pence)}</td>
            {remove && <td data-numeric>{renderAction(adjustment)}</td>}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function AdjustmentAuthor({ adjustment }: { adjustment: AdjustmentOutput }) {
  return (
    <>
      {adjustment.made_by}, <InstantText at={adjustment.made_at} />
    </>
  );
}
