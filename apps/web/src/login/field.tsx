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

/** Label above, error beside; the error's line is there before the error, so that nothing moves. */
export function Field({ name, label, type, autoComplete, inputMode, form }: FieldProps) {
  const id = loginFieldId(name);
  const problem = form.shownProblemOf(name);
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
          // Leaving an empty field for a button or link is no attempt to log in, and an error there would push it away under the pointer.
          if (form.values[name] !== '' || relatedTarget === null || relatedTarget instanceof HTMLInputElement) form.touch(name);
        }}
      />
      <p id={`${id}-error`} className="field-error" aria-live="polite">
        {problem}
      </p>
    </div>
  );
}

/** What was refused; takes the focus when it appears. */
export function Refusal({ error }: { error: unknown }) {
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
