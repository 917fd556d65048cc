/** The second step of a sign-in: a code from the authenticator app, or a recovery code. */
import { securityApi } from '@portal/contract/security.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { consumePostLoginPath } from '../../lib/post-login-path.ts';
import { Button } from '../../ui/button.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useFinishSignIn } from './finish-sign-in.ts';
import { useUrlSecret } from './use-url-secret.ts';

export function SecondFactorScreen() {
  const challenge = useUrlSecret('challenge');
  const navigate = useNavigate();
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(false);
  if (challenge === '') {
    return (
      <Page title="Log in again" maxWidth="form">
        <SectionCard>
          <StatusPanel
            state="warning"
            subHeading="This login has expired. Log in again to get back to this step."
            onContinue={() => void navigate(PAGES.loginV2.path)}
            continueLabel="Log in"
          />
        </SectionCard>
      </Page>
    );
  }
  return (
    <Page
      title={usesRecoveryCode ? 'Enter a recovery code' : 'Enter the code from your app'}
      maxWidth="form"
      lead={
        usesRecoveryCode
          ? 'Use one of the codes you saved when you set up your authenticator app. Each works once.'
          : 'Open your authenticator app and enter the 6-digit code it shows for this account.'
      }
    >
      <Stack gap={24}>
        <SectionCard>
          <CodeForm
            key={String(usesRecoveryCode)}
            challenge={challenge}
            byRecovery={usesRecoveryCode}
            switchWay={() => setUsesRecoveryCode(!usesRecoveryCode)}
          />
        </SectionCard>
        <Text>
          <TextLink to={PAGES.loginV2.path}>Log in another way</TextLink>
        </Text>
      </Stack>
    </Page>
  );
}

function CodeForm({ challenge, byRecovery, switchWay }: { challenge: string; byRecovery: boolean; switchWay: () => void }) {
  const navigate = useNavigate();
  const finishSignIn = useFinishSignIn();
  const form = useContractForm<typeof securityApi.completeSecondFactor, { code: string }>(securityApi.completeSecondFactor, {
    defaults: { code: '' },
    fixed: { challenge },
    send: async (input) => {
      const { home_path } = await apiRequest(securityApi.completeSecondFactor, input);
      await finishSignIn();
      await navigate(consumePostLoginPath() ?? home_path, { replace: true });
    },
  });
  return (
    <FormPanel
      form={form}
      submitLabel="Log in"
      busyLabel="Logging in…"
      otherActions={
        <Button variant="text" onClick={switchWay}>
          {byRecovery ? 'Use the app instead' : 'Use a recovery code'}
        </Button>
      }
    >
      <FormField
        form={form}
        name="code"
        label={byRecovery ? 'Recovery code' : '6-digit code'}
        inputMode={byRecovery ? 'text' : 'numeric'}
        autoComplete={byRecovery ? 'off' : 'one-time-code'}
        widthInCharacters={byRecovery ? 22 : 10}
      />
    </FormPanel>
  );
}
