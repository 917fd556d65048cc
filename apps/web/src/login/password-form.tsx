/** Signing in with email and password, or with an emailed link. */
import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import clsx from 'clsx';
import { useRef, type FormEvent } from 'react';
import { apiRequest } from '../lib/api.ts';
import { saveSentEmail, saveTypedEmail } from '../lib/sent-email.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { getButtonClass } from '../ui/button-look.ts';
import { getTextLinkClass } from '../ui/text-link-look.ts';
import { Heading, Text } from '../ui/text.tsx';
import { Field, FormError } from './field.tsx';
import styles from './login-card.module.css';
import { completeSignIn } from './redirect-signed-in.ts';
import { useLoginForm } from './use-login-form.ts';
import { useSingleRun } from './use-single-run.ts';
import { MissingLine } from '../ui/missing-line.tsx';
import { Stack } from '../ui/layout.tsx';

export function PasswordForm() {
  const formRef = useRef<HTMLFormElement>(null);
  const form = useLoginForm(formRef);
  const logIn = useSingleRun(async () => {
    const loginResponse = await apiRequest(identityApi.login, form.values);
    if (loginResponse.type === 'second_factor') location.assign(`${PORTAL_BASE}${loginResponse.home_path}`);
    else await completeSignIn();
  });
  const sendLink = useSingleRun(async () => {
    const { sent_to } = await apiRequest(identityApi.sendMagicLink, { email: form.values.email });
    saveSentEmail({ sentTo: sent_to, purpose: 'log in' });
    location.assign(`${PORTAL_BASE}${PAGES.checkMail.path}`);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (form.isValid) logIn.run();
    else form.touchAll();
  };
  const requestLink = () => {
    if (form.getProblem('email') === undefined) sendLink.run();
    // Treat this like leaving the field, so that the email field's error appears.
    else form.touch('email', { focus: true });
  };
  const missingFields = (['email', 'password'] as const).filter((field) => form.getProblem(field) !== undefined);
  return (
    <section className={styles.card}>
      {/* Only a script submits the form. `post` keeps the password out of the URL if JavaScript is unavailable. */}
      <form ref={formRef} method="post" noValidate onSubmit={submit}>
        <FormError error={logIn.error ?? sendLink.error} />
        <Field name="email" label="Email" type="email" autoComplete="username" inputMode="email" form={form} />
        <Field name="password" label="Password" type="password" autoComplete="current-password" form={form} />
        <Stack gap={8} align="start">
          <button
            type="submit"
            className={clsx(getButtonClass({}), styles.submit)}
            disabled={!form.isValid || !form.isChanged || logIn.isRunning}
            aria-describedby="login-missing"
          >
            {logIn.isRunning ? 'Logging in…' : 'Log in'}
          </button>
          <MissingLine id="login-missing">{missingFields.length > 0 && `Enter your ${missingFields.join(' and ')}.`}</MissingLine>
        </Stack>
      </form>
      <div className={styles.withoutPassword}>
        <Heading level={2}>No password, or forgotten it?</Heading>
        <Text tone="quiet" className={styles.hint}>
          Enter your email above and we’ll send you a link that logs you in. The link expires soon and works only once.
        </Text>
        <button
          type="button"
          className={clsx(getButtonClass({ variant: 'outlined' }), styles.submit)}
          onClick={requestLink}
          disabled={sendLink.isRunning}
        >
          {sendLink.isRunning ? 'Sending the link…' : 'Email me a link'}
        </button>
        <Text className={styles.forgotten}>
          {/* Passes the typed email address to the next page. It stays in this browser. */}
          <a
            className={getTextLinkClass()}
            href={`${PORTAL_BASE}${PAGES.resetPassword.path}`}
            onClick={() => saveTypedEmail(form.values.email.trim())}
          >
            Set a new password
          </a>
        </Text>
      </div>
    </section>
  );
}
