import { useState } from 'react';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextArea } from '../../ui/input.tsx';

/** The contract's limits, from 3 to 500 characters. */
const MIN_REASON_LENGTH = 3;
const MAX_REASON_LENGTH = 500;

/** Returns why a reason is invalid, or undefined if it is valid. */
export function getReasonError(reason: string, name = 'reason'): string | undefined {
  const length = reason.trim().length;
  if (length < MIN_REASON_LENGTH) return `Enter a ${name} (at least a few words).`;
  return length > MAX_REASON_LENGTH ? `Use ${MAX_REASON_LENGTH} characters or fewer for the ${name}.` : undefined;
}

type ReasonFieldProps = {
  id: string;
  value: string;
  onChange: (value: string) => void;
  /** Why the text can't be used. Shown once the user has left the field with some text. */
  error?: string | undefined;
  label?: string;
  hint?: string;
};

/** The reason for a decision, stored permanently in the advance's history. */
export function ReasonField({
  id,
  value,
  onChange,
  error = getReasonError(value),
  label = 'Reason',
  hint = 'Saved in the history with your name.',
}: ReasonFieldProps) {
  const [isTouched, setTouched] = useState(false);
  const shownError = isTouched && value.trim() !== '' ? error : undefined;
  return (
    <FieldFrame id={id} label={label} hint={hint} error={shownError}>
      <TextArea
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={() => setTouched(true)}
        rows={2}
        isInvalid={shownError !== undefined}
        aria-describedby={getDescribedBy(id, hint, shownError)}
        aria-required
      />
    </FieldFrame>
  );
}
