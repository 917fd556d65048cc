/** Logging in: by password, by a link that is e-mailed, by passkey, or at a provider. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useMutation } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { Link as RouterLink, useNavigate } from 'react-router';
import { call } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { errorText } from '../../lib/error-text.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Page } from '../../ui/page.tsx';
import { ProviderNotice } from '../../ui/provider-notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { useFinishSignIn } from './finish-sign-in.ts';
import { OtherWays } from './other-ways.tsx';

export function LoginScreen() {
  const navigate = useNavigate();
  const finishSignIn = useFinishSignIn();
  const form = useContractForm<typeof identityApi.login, { email: string; password: string }>(identityApi.login, {
    defaults: { email: '', password: '' },
    // The session's own rule then leads on: to the page that was wanted, else home.
    send: async (input) => {
      const answer = await call(identityApi.login, input);
      if (answer.type === 'second_factor') await navigate(answer.home_path);
      else await finishSignIn();
    },
  });
  const email = useWatch({ control: form.form.control, name: 'email' });
  const canSendLink = identityApi.sendMagicLink.input.safeParse({ email }).success;
  const sendLink = useMutation({
    mutationFn: () => call(identityApi.sendMagicLink, { email }),
    onSuccess: ({ sent_to }) => navigate(PAGES.checkMail.path, { state: { sentTo: sent_to, purpose: 'log in' } }),
  });
  const askForLink = () => {
    if (canSendLink) sendLink.mutate();
    else {
      // Asking for a link is what leaving the field is: what is wrong with the address must be seen.
      form.form.setValue('email', email, { shouldTouch: true, shouldValidate: true });
      form.form.setFocus('email', { shouldSelect: true });
    }
  };
  return (
    <Page title="Log in" maxWidth="form">
      <ProviderNotice />
      <SectionCard>
        {sendLink.error !== null && <ErrorSummary refusals={[{ field: undefined, message: errorText(sendLink.error) }]} />}
        <FormPanel form={form} submitLabel="Log in" busyLabel="Logging in ...">
          <FormField form={form} name="email" label="Email" type="email" inputMode="email" autoComplete="username" />
          <FormField form={form} name="password" label="Password" type="password" autoComplete="current-password" />
        </FormPanel>
        <Box sx={{ mt: 4, pt: 3, borderTop: 1, borderColor: 'divider' }}>
          <Typography component="h2" variant="h3">
            No password, or forgotten?
          </Typography>
          <Typography sx={{ mt: 0.5, mb: 2, color: 'text.secondary' }}>
            Enter your email above. We send you a link that logs you in; it works once and for a short time.
          </Typography>
          <Button
            variant="outlined"
            onClick={askForLink}
            disabled={sendLink.isPending}
            sx={{ width: { xs: '100%', sm: 'auto' }, maxWidth: { xs: 'none', sm: 300 } }}
          >
            {sendLink.isPending ? 'Sending the link ...' : 'E-mail me a link'}
          </Button>
          <Typography sx={{ mt: 2 }}>
            <Link component={RouterLink} to={PAGES.resetPassword.path} state={{ email }}>
              Set a new password
            </Link>
          </Typography>
        </Box>
      </SectionCard>
      <OtherWays />
      <Typography sx={{ mt: 3 }}>
        New here? <Link href={`${PORTAL_BASE}${PAGES.instantVatLanding.path}`}>See how InstantVAT works and sign up</Link>
      </Typography>
    </Page>
  );
}
