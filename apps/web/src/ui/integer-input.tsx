import { useState } from 'react';
import { parseIntegerInput } from '../lib/integer-input.ts';
import { FieldFrame, getDescribedBy } from './form-field.tsx';
import { TextInput } from './input.tsx';

type IntegerInputProps = {
  id: string;
  label: string;
  hint?: string;
  error?: string;
  optional?: boolean;
  value: number | undefined;
  onChange: (number: number | undefined) => void;
};

/**
 * A field for a whole number, which may be empty. Invalid text doesn't enter the field and is only logged (docs/product/specification.md
 * section 5).
 */
export function IntegerInput({ id, label, hint, error, optional = false, value, onChange }: IntegerInputProps) {
  // A lone minus sign stays in the field, because a number may follow. Until then, the value is empty.
  const [hasLoneMinus, setHasLoneMinus] = useState(false);
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} optional={optional}>
      <TextInput
        id={id}
        value={hasLoneMinus ? '-' : (value ?? '')}
        isInvalid={error !== undefined}
        onChange={({ target }) => {
          const isLoneMinus = target.value.trim() === '-';
          const parsedInput = parseIntegerInput(isLoneMinus ? '' : target.value);
          if (!parsedInput.ok) {
            console.error(parsedInput.reason);
            return;
          }
          setHasLoneMinus(isLoneMinus);
          onChange(parsedInput.value);
        }}
        widthInCharacters={16}
        inputMode="numeric"
        autoComplete="off"
        aria-describedby={getDescribedBy(id, hint, error)}
        aria-required={!optional}
      />
    </FieldFrame>
  );
}
