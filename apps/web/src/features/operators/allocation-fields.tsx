/** Allocates a payment: one amount for each advance, and one for the trader. Shows the effects before anything is requested. */
import { MoneyInput } from '../../components/formats/money-input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import {
  describeEffects,
  describeOutstanding,
  describeTarget,
  findAmountsError,
  getFreeOutstanding,
  TRADER,
  type AllocationTarget,
  type Amounts,
  type CompanyCredit,
} from './exception-labels.ts';

type AllocationFieldsProps = {
  credit: CompanyCredit;
  targets: readonly AllocationTarget[];
  amounts: Amounts;
  onChange: (amounts: Amounts) => void;
};

export function AllocationFields({ credit, targets, amounts, onChange }: AllocationFieldsProps) {
  const payableTargets = targets.filter((target) => getFreeOutstanding(target, credit) > 0);
  const problem = findAmountsError(credit, targets, amounts);
  return (
    <Stack gap={8}>
      {payableTargets.map((target) => (
        <MoneyInput
          key={target.advance_id}
          id={`allocate-${target.advance_id}`}
          label={describeTarget(target)}
          hint={`${describeOutstanding(target, credit)} Include the pence.`}
          optional
          value={amounts[target.advance_id]}
          onChange={(amount) => onChange({ ...amounts, [target.advance_id]: amount })}
        />
      ))}
      <MoneyInput
        id="allocate-trader"
        label="Belongs to the trader"
        hint="Can be paid out to their bank account afterwards. Include the pence."
        optional
        value={amounts[TRADER]}
        onChange={(amount) => onChange({ ...amounts, [TRADER]: amount })}
      />
      <div role="status">
        {problem === undefined ? (
          describeEffects(credit, targets, amounts).map((effect) => (
            <Text key={effect} size="small">
              {effect}
            </Text>
          ))
        ) : (
          <Text size="small" tone="error">
            {problem}
          </Text>
        )}
      </div>
    </Stack>
  );
}
