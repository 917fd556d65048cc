import { useEffect, useRef, useState, type FormEvent } from 'react';
import { PORTAL_BASE } from '../lib/settings.ts';
import { saveSignUpEmail } from '../lib/sign-up-email.ts';
import { getButtonClass } from '../ui/button-look.ts';
import { LabelledInput } from '../ui/labelled-input.tsx';
import { getEmailError } from './email-error.ts';
import { MissingLine } from '../ui/missing-line.tsx';
import { Stack } from '../ui/layout.tsx';

export type StepsSection = 'steps' | 'signup';

/**
 * "Sign up with email" is enabled when the email is valid and changed. The error appears once the field has been touched
 * (docs/product/specification.md sections 4 and 5).
 */
export function EmailForm({ close, stepsSection }: { close: () => void; stepsSection: StepsSection }) {
  const field = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState('');
  const [isTouched, setIsTouched] = useState(false);
  const [isSubmitting, setIsSubmitting] = useState(false);
  // Read text that was typed, or filled in by the browser, before this script ran.
  useEffect(() => setEmail(field.current?.value ?? ''), []);
  const problem = getEmailError(email);
  const shownProblem = isTouched ? problem : undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem !== undefined || isSubmitting) {
      setIsTouched(true);
      return;
    }
    setIsSubmitting(true);
    saveSignUpEmail(email.trim());
    close();
    location.assign(`${PORTAL_BASE}/v2/instant-vat/${stepsSection}/about${location.search}`);
  };
  return (
    <form noValidate onSubmit={submit}>
      <LabelledInput
        ref={field}
        id="sign-up-email"
        label="Sign up with email"
        error={shownProblem}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        onChange={({ target }) => setEmail(target.value)}
        onBlur={({ relatedTarget }) => {
          // Moving the focus to a link isn't an attempt to sign up, and an error message would shift that link while it is being clicked.
          if (email !== '' || relatedTarget === null) setIsTouched(true);
        }}
      />
      <Stack gap={8}>
        <button
          type="submit"
          className={getButtonClass({ fit: 'wide' })}
          disabled={problem !== undefined || isSubmitting}
          aria-describedby="sign-up-missing"
        >
          Continue
        </button>
        <MissingLine id="sign-up-missing">{problem !== undefined && shownProblem === undefined && 'Enter your email address.'}</MissingLine>
      </Stack>
    </form>
  );
}
