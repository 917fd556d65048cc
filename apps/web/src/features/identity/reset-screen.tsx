/** Requests a link to set a new password. The response is the same whether or not the address has an account. */
import { securityApi } from '@portal/contract/security.ts';
import { PAGES } from '@portal/contract/pages.ts';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link as RouterLink, useNavigate } from 'react-router';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { getTypedEmail } from '../../lib/sent-mail.ts';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

export function ResetScreen() {
  const navigate = useNavigate();
  // The email address typed on the login page.
  const [email] = useState(getTypedEmail);
  const form = useContractForm<typeof securityApi.requestPasswordReset, { email: string }>(securityApi.requestPasswordReset, {
    defaults: { email },
    startsChanged: email !== '',
    draft: { name: 'reset-password', fields: ['email'] },
    send: async (input) => {
      const { sent_to } = await apiRequest(securityApi.requestPasswordReset, input);
      await navigate(PAGES.checkMail.path, { state: { sentTo: sent_to, purpose: 'set a new password' } });
    },
  });
  return (
    <Page title="Set a new password" maxWidth="form" lead="We email you a link. It works once and for a short time.">
      <SectionCard>
        <FormPanel form={form} submitLabel="Email me the link" busyLabel="Sending the link ...">
          <FormField form={form} name="email" label="Email" type="email" inputMode="email" autoComplete="username" />
        </FormPanel>
      </SectionCard>
      <Typography sx={{ mt: 3 }}>
        <Link component={RouterLink} to={PAGES.loginV2.path}>
          Back to log in
        </Link>
      </Typography>
    </Page>
  );
}
