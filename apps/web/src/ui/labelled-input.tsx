import type { ComponentProps, ComponentType } from 'react';
import { TextInput } from './input.tsx';
import styles from './labelled-input.module.css';

type LabelledInputProps = Omit<ComponentProps<typeof TextInput>, 'id' | 'isInvalid' | 'className'> & {
  id: string;
  label: string;
  hint?: string;
  /** Undefined while there is nothing to report. */
  error: string | undefined;
  /** A field other than a plain one. */
  control?: ComponentType<ComponentProps<typeof TextInput>>;
};

/**
 * A required text field without react-hook-form, for prerendered pages. Space for the error is always reserved, to avoid a layout shift.
 */
export function LabelledInput({ id, label, hint, error, control: Control = TextInput, ...props }: LabelledInputProps) {
  return (
    <div>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      <Control
        {...props}
        id={id}
        isInvalid={error !== undefined}
        aria-required="true"
        aria-describedby={hint === undefined ? `${id}-error` : `${id}-hint ${id}-error`}
      />
      <p id={`${id}-error`} className={styles.error} aria-live="polite">
        {error}
      </p>
    </div>
  );
}
