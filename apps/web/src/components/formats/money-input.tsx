import type { Pence } from '@portal/domain/money.ts';
import { useLayoutEffect, useRef } from 'react';
import { findCaret, countDigitsAfter, formatMoneyInput, parseMoneyInput } from '../../lib/money-input.ts';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';

/** "£99,999,999,999.99", far below the largest amount that is exact as a number of pence. */
const MAX_LENGTH = 18;

type MoneyInputProps = {
  id: string;
  label: string;
  /** Replaces the hint that pence must be typed too. */
  hint?: string;
  error?: string;
  optional?: boolean;
  value: Pence | undefined;
  onChange: (amount: Pence | undefined) => void;
};

/**
 * An amount in pounds and pence, typed as at a till: each digit moves the previous ones to the left, so 1, 2, 3, 4 shows £0.01, £0.12,
 * £1.23, £12.34. docs/product/specification.md section 5 strips the dot and reads an integer. With the two decimals of section 9, that
 * integer is pence. The hint explains this, and the field formats the amount after each key, so that users notice if they type only pounds.
 * Not for whole pounds (VAT boxes 6 to 9).
 */
export function MoneyInput({ id, label, hint = HINT, error, optional = false, value, onChange }: MoneyInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const digitsAfter = useRef<number>(undefined);
  const text = formatMoneyInput(value);
  useLayoutEffect(() => {
    if (digitsAfter.current === undefined || input.current === null) return;
    const caret = findCaret(input.current.value, digitsAfter.current);
    input.current.setSelectionRange(caret, caret);
    digitsAfter.current = undefined;
  });
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} optional={optional}>
      <TextInput
        id={id}
        ref={input}
        value={text}
        isInvalid={error !== undefined}
        onChange={({ target }) => {
          digitsAfter.current = countDigitsAfter(target.value, target.selectionStart ?? target.value.length);
          onChange(parseMoneyInput(target.value));
        }}
        widthInCharacters={MAX_LENGTH}
        inputMode="numeric"
        autoComplete="off"
        maxLength={MAX_LENGTH}
        aria-describedby={getDescribedBy(id, hint, error)}
        aria-required={!optional}
      />
    </FieldFrame>
  );
}

const HINT = 'Type the pence too: 1234 becomes £12.34';
