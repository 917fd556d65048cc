import { useEffect, useRef, type HTMLInputAutoCompleteAttribute } from 'react';
import { errorText } from '../lib/error-text.ts';
import { loginFieldId, type LoginField, type LoginForm } from './use-login-form.ts';

type FieldProps = {
  name: LoginField;
  label: string;
  type: 'email' | 'password';
  autoComplete: HTMLInputAutoCompleteAttribute;
  inputMode?: 'email';
  form: LoginForm;
};

/** Label, control and error. The error's line is always present, so that nothing moves when the error appears. */
export function Field({ name, label, type, autoComplete, inputMode, form }: FieldProps) {
  const id = loginFieldId(name);
  const problem = form.getShownProblem(name);
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        inputMode={inputMode}
        autoComplete={autoComplete}
        aria-required="true"
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-error`}
        onChange={({ target }) => form.change(name, target.value)}
        onBlur={({ relatedTarget }) => {
          // Moving from an empty field to a button or link is not an attempt to log in, and an error message would shift that button while
          // it is being clicked.
          if (form.values[name] !== '' || relatedTarget === null || relatedTarget instanceof HTMLInputElement) form.touch(name);
        }}
      />
      <p id={`${id}-error`} className="field-error" aria-live="polite">
        {problem}
      </p>
    </div>
  );
}

/** An error from the server. Takes the focus when it appears. */
export function FormError({ error }: { error: unknown }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== undefined) box.current?.focus();
  }, [error]);
  if (error === undefined) return null;
  return (
    <div ref={box} className="refusal" role="alert" tabIndex={-1}>
      <strong>There is a problem</strong>
      <p>{errorText(error)}</p>
    </div>
  );
}
