/** A visitor's first step: the account. An emailed link finishes it. */
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { Link as RouterLink, useNavigate } from 'react-router';
import { call } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { currentPartner } from '../../lib/partner.ts';
import { keptSignUpEmail } from '../../lib/sign-up-email.ts';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Stepper } from './stepper.tsx';

type SignUpValues = { email: string; full_name: string; phone: string; password: string };

export function SignUpForm() {
  const navigate = useNavigate();
  const email = keptSignUpEmail();
  const partner = currentPartner();
  const form = useContractForm<typeof identityApi.signUp, SignUpValues>(identityApi.signUp, {
    defaults: { email, full_name: '', phone: '', password: '' },
    fixed: partner === 'organic' ? {} : { partner },
    draft: { name: 'sign-up', fields: ['email', 'full_name', 'phone'] },
    send: async (input) => {
      const { sent_to } = await call(identityApi.signUp, input);
      await navigate(PAGES.checkMail.path, { state: { sentTo: sent_to, purpose: 'open your account' } });
    },
  });
  return (
    <Page
      title="About you"
      maxWidth="text"
      lead="An account costs nothing and files nothing. Six short steps; you can stop and come back at any time."
    >
      <Stepper current="about" progress={undefined} />
      <SectionCard>
        <FormPanel form={form} submitLabel="Create my account" busyLabel="Creating your account ...">
          <FormField form={form} name="email" label="Email" type="email" inputMode="email" autoComplete="username" />
          <FormField form={form} name="full_name" label="Full name" autoComplete="name" />
          <FormField
            form={form}
            name="phone"
            label="Phone number"
            hint="We call only when something about a refund needs you."
            optional
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            widthInCharacters={24}
          />
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
            By creating an account you agree that we keep these details to open it, to keep it safe and to write to you about your VAT
            refunds. We do not use them for anything else.
          </Typography>
        </FormPanel>
      </SectionCard>
      <Typography sx={{ mt: 3 }}>
        Already have an account?{' '}
        <Link component={RouterLink} to={PAGES.loginV2.path}>
          Log in
        </Link>
      </Typography>
    </Page>
  );
}
