/** Sets a new password with an emailed link. Opening the page doesn't use up the link; submitting the form does. */
import { securityApi } from '@portal/contract/security.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { ApiError } from '../../lib/problem-to-error.ts';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { useUrlSecret } from './use-url-secret.ts';

type Stage = { readonly name: 'asking' | 'done' } | { readonly name: 'over'; readonly text: string };

export function NewPasswordScreen() {
  const navigate = useNavigate();
  const { check } = useSession();
  const token = useUrlSecret('token');
  const [stage, setStage] = useState<Stage>(
    token === '' ? { name: 'over', text: 'This link is incomplete. Open it from the email again, or get a new one.' } : { name: 'asking' },
  );
  const form = useContractForm<typeof securityApi.resetPassword, { password: string }>(securityApi.resetPassword, {
    defaults: { password: '' },
    fixed: { token },
    send: async (input) => {
      try {
        await apiRequest(securityApi.resetPassword, input);
      } catch (error) {
        if (!isLinkRejected(error)) throw error;
        setStage({ name: 'over', text: error.fieldErrors['token'] ?? error.message });
        return;
      }
      setStage({ name: 'done' });
      await check();
    },
  });
  if (stage.name === 'over') {
    return (
      <Page title="This link no longer works" maxWidth="form">
        <SectionCard>
          <StatusPanel
            state="warning"
            subHeading={stage.text}
            onContinue={() => void navigate(PAGES.resetPassword.path)}
            continueLabel="Get a new link"
          />
        </SectionCard>
      </Page>
    );
  }
  if (stage.name === 'done') {
    return (
      <Page title="Password changed" maxWidth="form">
        <SectionCard>
          <StatusPanel
            state="success"
            subHeading="We’ve logged out every device that was using your account. Log in with your new password."
            onContinue={() => void navigate(PAGES.loginV2.path)}
            continueLabel="Log in"
          />
        </SectionCard>
      </Page>
    );
  }
  return (
    <Page title="Set a new password" maxWidth="form" lead="We’ll log out every device that’s using your account.">
      <SectionCard>
        <FormPanel form={form} submitLabel="Save password" busyLabel="Saving…">
          <FormField
            form={form}
            name="password"
            label="New password"
            hint="At least 10 characters. Three unrelated words are easy to remember and hard to guess."
            type="password"
            autoComplete="new-password"
          />
        </FormPanel>
      </SectionCard>
    </Page>
  );
}

/** Returns whether the request failed because of the token, not because of the password or the connection. */
function isLinkRejected(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    error.status !== 429 &&
    error.fieldErrors['password'] === undefined
  );
}
