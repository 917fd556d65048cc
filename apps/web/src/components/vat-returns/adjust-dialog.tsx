/** Adds an amount to a box or subtracts it, with a reason. Shows the new figure before saving. */
import { BOXES } from '@portal/contract/return-transactions.ts';
import type { VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { normaliseAmount } from '@portal/domain/books/tidy-amount.ts';
import { formatPounds, parsePounds, pence, type Pence } from '@portal/domain/money.ts';
import { BOX_INCLUDED_IN, explainAdjustment } from '@portal/domain/vat-returns/return-adjustments.ts';
import { ADJUSTMENT_REASON_LENGTH } from '@portal/domain/vat-returns/adjustment-kinds.ts';
import type { SummedBox } from '@portal/domain/vat-returns/treatment-table.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { BOX_NAMES } from '../../lib/box-names.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { Select, TextArea, TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { getReturnApi, type ReturnTarget } from './return-api.ts';

type AdjustDialogProps = {
  data: VatReturnOutput;
  input: ReturnTarget;
  onClose: () => void;
};

/** The options of a select, named as HMRC names the boxes. */
const BOX_OPTIONS = BOX_NAMES.filter(({ number }) => (BOXES as readonly string[]).includes(number));

export function AdjustDialog({ data, input, onClose }: AdjustDialogProps) {
  const id = useId();
  const queryClient = useQueryClient();
  // The same id for all attempts, so that a retry after a lost response doesn't add anything twice.
  const [adjustmentId] = useState(() => crypto.randomUUID());
  const [values, setValues] = useState<Values>({ box: '1', amountText: '', reason: '' });
  const { box, amountText, reason } = values;
  const [isAmountTouched, setIsAmountTouched] = useState(false);
  const current = getBoxPence(data, box);
  const amount = parsePounds(normaliseAmount(amountText));
  const errors = findErrors(box, amount, current, reason);
  const add = useMutation({
    mutationFn: () =>
      apiRequest(getReturnApi(input).adjust, { ...input, adjustment_id: adjustmentId, box, amount_pence: amount ?? pence(0), reason }),
    onSuccess: (output) => {
      queryClient.setQueryData(apiQuery(getReturnApi(input).get, input).queryKey, output);
      void queryClient.invalidateQueries({ queryKey: [getReturnApi(input).corrections.path] });
      onClose();
    },
  });
  return (
    <ModalDialog
      small
      open
      heading="Add an adjustment"
      onClose={onClose}
      loading={add.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={add.isPending}>
            Cancel
          </Button>
          <SubmitButton
            form={`${id}-form`}
            missing={getMissingText([amountText.trim() === '' ? 'Enter the amount.' : errors.amount, errors.reason])}
            isBusy={add.isPending}
          >
            Add adjustment
          </SubmitButton>
        </>
      }
    >
      <form
        id={`${id}-form`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (Object.keys(errors).length === 0) add.mutate();
        }}
      >
        <Stack gap={0}>
          {add.error && (
            <Notice tone="error" title="We couldn’t add the adjustment" role="alert">
              {getErrorText(add.error)}
            </Notice>
          )}
          <AdjustFields
            id={id}
            values={values}
            change={(change) => setValues({ ...values, ...change })}
            onAmountBlur={() => setIsAmountTouched(true)}
            amountError={isAmountTouched && amountText !== '' ? errors.amount : undefined}
          />
          <Text role="status">
            Box {box} is {formatPounds(current)} now
            {amount !== undefined && amount !== 0 ? ` and will become ${formatPounds(pence(current + amount))}.` : '.'}
          </Text>
        </Stack>
      </form>
    </ModalDialog>
  );
}

type Values = { readonly box: (typeof BOXES)[number]; readonly amountText: string; readonly reason: string };
type AdjustFieldsProps = {
  id: string;
  values: Values;
  change: (change: Partial<Values>) => void;
  onAmountBlur: () => void;
  amountError: string | undefined;
};

function AdjustFields({ id, values: { box, amountText, reason }, change, onAmountBlur, amountError }: AdjustFieldsProps) {
  const includingBox = BOX_INCLUDED_IN[Number(box) as SummedBox];
  return (
    <>
      <FieldFrame
        id={`${id}-box`}
        label="Box"
        hint={
          includingBox === undefined
            ? 'Boxes 3 and 5 are calculated from the others.'
            : `Box ${includingBox} includes box ${box}: adjust box ${includingBox} too.`
        }
      >
        <Select
          id={`${id}-box`}
          value={box}
          aria-describedby={`${id}-box-hint`}
          onChange={({ target }) => change({ box: BOXES.find((known) => known === target.value) ?? '1' })}
        >
          {BOX_OPTIONS.map(({ number, name }) => (
            <option key={number} value={number}>
              {`Box ${number}: ${name}`}
            </option>
          ))}
        </Select>
      </FieldFrame>
      <FieldFrame
        id={`${id}-amount`}
        label="Amount"
        hint={Number(box) >= 6 ? 'In whole pounds. Use a minus sign to reduce the box.' : 'Use a minus sign to reduce the box.'}
        error={amountError}
      >
        <TextInput
          id={`${id}-amount`}
          value={amountText}
          inputMode="text"
          autoComplete="off"
          widthInCharacters={18}
          isInvalid={amountError !== undefined}
          aria-describedby={getDescribedBy(`${id}-amount`, 'hint', amountError)}
          onBlur={onAmountBlur}
          onChange={({ target }) => change({ amountText: target.value })}
        />
      </FieldFrame>
      <FieldFrame id={`${id}-reason`} label="Reason" hint="Stored with the return. HMRC can ask for it for six years.">
        <TextArea
          id={`${id}-reason`}
          rows={3}
          value={reason}
          maxLength={ADJUSTMENT_REASON_LENGTH.max}
          aria-describedby={getDescribedBy(`${id}-reason`, 'hint', undefined)}
          onChange={({ target }) => change({ reason: target.value })}
        />
      </FieldFrame>
    </>
  );
}

function getBoxPence({ boxes }: VatReturnOutput, box: (typeof BOXES)[number]): Pence {
  const name = BOX_NAMES.find(({ number }) => number === box);
  if (boxes === null || name === undefined) return pence(0);
  return pence(boxes[name.field] * (name.unit === 'pounds' ? 100 : 1));
}

type AdjustErrors = { readonly amount?: string; readonly reason?: string };

function findErrors(box: (typeof BOXES)[number], amount: Pence | undefined, current: Pence, reason: string): AdjustErrors {
  const amountError =
    amount === undefined
      ? 'Enter an amount in pounds, such as 120.50 or -120.50.'
      : explainAdjustment({ box: Number(box) as SummedBox, amount }, current);
  return {
    ...(amountError === undefined ? {} : { amount: amountError }),
    ...(reason.trim().length < ADJUSTMENT_REASON_LENGTH.min ? { reason: 'Enter the reason for this adjustment.' } : {}),
  };
}
