/** The account of the person who signs a practice up. An emailed link or a provider finishes it; the steps follow. */
import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { practiceStepPath } from '@portal/contract/practice.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink, Navigate, useNavigate } from 'react-router';
import { useSession } from '../../app/session.tsx';
import { call } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { currentPartner } from '../../lib/partner.ts';
import { dataPolicyUrl } from '../../lib/settings.ts';
import { savePostLoginPath } from '../../lib/post-login-path.ts';
import { LOGIN_PROVIDERS, providerSignInUrl } from '../../lib/sign-in-providers.ts';
import { AccountingProviderButton } from '../../ui/accounting-provider-button.tsx';
import { BrandButton } from '../../ui/brand-button.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { findPracticePartner } from './practice-partner.ts';

const FIRST_STEP = practiceStepPath('practice');

export function OpenTaxSignUpScreen() {
  const { session } = useSession();
  // Whoever is somebody already goes on with the practice itself.
  if (session.status === 'signed_in') return <Navigate to={FIRST_STEP} replace />;
  const partner = findPracticePartner(currentPartner());
  return (
    <Page
      title="Sign up your practice"
      maxWidth="text"
      lead="An account costs nothing and sends nothing to HMRC. Six short steps; you can stop and come back at any time."
    >
      {session.status === 'checking' ? (
        <CardSkeleton lines={6} />
      ) : (
        <Box sx={{ display: 'grid', gap: 3 }}>
          <SectionCard title="With an account you have">
            <Providers />
          </SectionCard>
          <SectionCard title="With your email address">
            <AccountForm />
          </SectionCard>
          {partner !== undefined && <Typography sx={{ color: 'text.secondary' }}>{partner.consentText}</Typography>}
        </Box>
      )}
      <Typography sx={{ mt: 3 }}>
        Already have an account?{' '}
        <Link component={RouterLink} to={PAGES.loginV2.path}>
          Log in
        </Link>
      </Typography>
    </Page>
  );
}

/** HMRC's sign-in opens no account: it names no person. */
function Providers() {
  return (
    <Box
      component="ul"
      sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.5, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}
    >
      {LOGIN_PROVIDERS.filter(({ name }) => name !== 'hmrc').map(({ name, brand, words }) => (
        <li key={name}>
          {name === 'xero' ? (
            <AccountingProviderButton label={`Sign up with ${words}`} href={providerSignInUrl(name, { next: FIRST_STEP })} />
          ) : (
            <BrandButton brand={brand} label={`Sign up with ${words}`} href={providerSignInUrl(name, { next: FIRST_STEP })} />
          )}
        </li>
      ))}
    </Box>
  );
}

type Values = { email: string; full_name: string; password: string };

function AccountForm() {
  const navigate = useNavigate();
  const partner = currentPartner();
  const form = useContractForm<typeof identityApi.signUp, Values>(identityApi.signUp, {
    defaults: { email: '', full_name: '', password: '' },
    draft: { name: 'practice-sign-up', fields: ['email', 'full_name'] },
    fixed: { product: 'open_tax', ...(partner === 'organic' ? {} : { partner }) },
    send: async (input) => {
      const { sent_to } = await call(identityApi.signUp, input);
      savePostLoginPath(FIRST_STEP);
      await navigate(PAGES.checkMail.path, { state: { sentTo: sent_to, purpose: 'open your account' } });
    },
  });
  return (
    <FormPanel form={form} submitLabel="Create my account" busyLabel="Creating your account ...">
      <FormField form={form} name="email" label="Work email" type="email" inputMode="email" autoComplete="username" />
      <FormField form={form} name="full_name" label="Full name" autoComplete="name" />
      <FormField
        form={form}
        name="password"
        label="Password"
        hint="At least 10 characters. Leave it empty to log in by a link that we email to you."
        optional
        type="password"
        autoComplete="new-password"
      />
      <Typography variant="body2" sx={{ mb: 3, color: 'text.secondary' }}>
        By creating an account you agree that we keep these details to open it, to keep it safe and to write to you about your practice’s
        work here. We do not use them for anything else: see the{' '}
        <Link href={dataPolicyUrl()} target="_blank" rel="noreferrer">
          data policy (opens in a new tab)
        </Link>
        .
      </Typography>
    </FormPanel>
  );
}
