import type { ReactNode } from 'react';
import type { FieldValues, Path } from 'react-hook-form';
import type { ContractForm } from '../lib/contract-form.ts';
import { Icon } from './icon.tsx';
import { TextInput } from './input.tsx';
import { PasswordInput } from './password-input.tsx';
import { Text } from './text.tsx';
import styles from './form-field.module.css';

type FieldFrameProps = {
  id: string;
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  optional?: boolean;
  children: ReactNode;
};

/** Returns the value of a control's aria-describedby: the IDs of its hint and error, or undefined if it has neither. */
export function getDescribedBy(id: string, hint: string | undefined, error: string | undefined): string | undefined {
  const ids = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].filter((part) => part !== '');
  return ids.length > 0 ? ids.join(' ') : undefined;
}

/** A field's label, followed by its hint, control and error. */
export function FieldFrame({ id, label, hint, error, optional = false, children }: FieldFrameProps) {
  return (
    <div className={styles.field}>
      <Text as="label" htmlFor={id} weight="medium" className={styles.label}>
        {label}
        {optional && (
          <Text as="span" tone="quiet">
            {' '}
            (optional)
          </Text>
        )}
      </Text>
      {hint !== undefined && (
        <Text id={`${id}-hint`} size="small" tone="quiet" className={styles.hint}>
          {hint}
        </Text>
      )}
      {children}
      <div aria-live="polite">
        {error !== undefined && (
          <Text id={`${id}-error`} size="small" weight="medium" tone="error" className={styles.error}>
            <Icon name="errorCircle" size={18} />
            {error}
          </Text>
        )}
      </div>
    </div>
  );
}

type FormFieldProps<Values extends FieldValues> = {
  form: ContractForm<Values>;
  name: Path<Values>;
  label: string;
  hint?: string;
  optional?: boolean;
  type?: 'text' | 'email' | 'tel' | 'password';
  autoComplete?: string;
  inputMode?: 'text' | 'email' | 'tel' | 'numeric';
  /** A width that fits the expected text, in characters. Undefined means full width. */
  widthInCharacters?: number;
};

export function FormField<Values extends FieldValues>(props: FormFieldProps<Values>) {
  const { form, name, label, hint, optional = false, type = 'text', autoComplete, inputMode, widthInCharacters } = props;
  const id = form.getFieldId(name);
  const error = form.getError(name);
  const Control = type === 'password' ? PasswordInput : TextInput;
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} optional={optional}>
      <Control
        {...form.form.register(name)}
        id={id}
        type={type}
        isInvalid={error !== undefined}
        widthInCharacters={widthInCharacters}
        aria-describedby={getDescribedBy(id, hint, error)}
        aria-required={!optional}
        autoComplete={autoComplete}
        inputMode={inputMode}
      />
    </FieldFrame>
  );
}
