import { useEffect, useRef, type HTMLInputAutoCompleteAttribute } from 'react';
import { getErrorText } from '../lib/error-text.ts';
import { LabelledInput } from '../ui/labelled-input.tsx';
import { Notice } from '../ui/notice.tsx';
import { PasswordInput } from '../ui/password-input.tsx';
import styles from './form-error.module.css';
import { getLoginFieldId, type LoginField, type LoginForm } from './use-login-form.ts';

type FieldProps = {
  name: LoginField;
  label: string;
  type: 'email' | 'password';
  autoComplete: HTMLInputAutoCompleteAttribute;
  inputMode?: 'email';
  form: LoginForm;
};

export function Field({ name, form, ...props }: FieldProps) {
  return (
    <LabelledInput
      {...props}
      id={getLoginFieldId(name)}
      name={name}
      {...(props.type === 'password' ? { control: PasswordInput } : {})}
      error={form.getShownProblem(name)}
      onChange={({ target }) => form.change(name, target.value)}
      onBlur={({ relatedTarget }) => {
        // Moving the focus from an empty field to a button or link isn't an attempt to log in, and an error message would shift the button
        // while it is being clicked.
        if (form.values[name] !== '' || relatedTarget === null || relatedTarget instanceof HTMLInputElement) form.touch(name);
      }}
    />
  );
}

/** An error from the server. Receives the focus when it appears. */
export function FormError({ error }: { error: unknown }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== undefined) box.current?.focus();
  }, [error]);
  if (error === undefined) return null;
  return (
    <div ref={box} className={styles.error} role="alert" tabIndex={-1}>
      <Notice tone="error" title="There’s a problem">
        {getErrorText(error)}
      </Notice>
    </div>
  );
}
