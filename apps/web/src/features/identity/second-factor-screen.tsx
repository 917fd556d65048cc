/** The second step of a sign-in: a code from the authenticator app, or a recovery code. */
import { securityApi } from '@portal/contract/security.ts';
import { PAGES } from '@portal/contract/pages.ts';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link as RouterLink, useNavigate } from 'react-router';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { takePostLoginPath } from '../../lib/post-login-path.ts';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { useFinishSignIn } from './finish-sign-in.ts';
import { useUrlSecret } from './use-url-secret.ts';

export function SecondFactorScreen() {
  const challenge = useUrlSecret('challenge');
  const navigate = useNavigate();
  const [byRecovery, setByRecovery] = useState(false);
  if (challenge === '') {
    return (
      <Page title="Log in again" maxWidth="form">
        <SectionCard>
          <StatusPanel
            state="warning"
            subHeading="This step belongs to a log-in that is over. Begin again; it takes a moment."
            onContinue={() => void navigate(PAGES.loginV2.path)}
            continueLabel="Log in"
          />
        </SectionCard>
      </Page>
    );
  }
  return (
    <Page
      title={byRecovery ? 'Enter a recovery code' : 'Enter the code from your app'}
      maxWidth="form"
      lead={
        byRecovery
          ? 'One of the codes you kept when you set up your authenticator app. Each works once.'
          : 'Open your authenticator app and type the 6 digits it shows for us.'
      }
    >
      <SectionCard>
        <CodeForm key={String(byRecovery)} challenge={challenge} byRecovery={byRecovery} switchWay={() => setByRecovery(!byRecovery)} />
      </SectionCard>
      <Typography sx={{ mt: 3 }}>
        <Link component={RouterLink} to={PAGES.loginV2.path}>
          Log in another way
        </Link>
      </Typography>
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
      await navigate(takePostLoginPath() ?? home_path, { replace: true });
    },
  });
  return (
    <FormPanel
      form={form}
      submitLabel="Log in"
      busyLabel="Logging in ..."
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
