/** Requests a link to set a new password. The response is the same whether or not the address has an account. */
import { securityApi } from '@portal/contract/security.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { getTypedEmail } from '../../lib/sent-email.ts';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

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
    <Page title="Set a new password" maxWidth="form" lead="We’ll email you a link. It works once and expires after a short time.">
      <Stack gap={24}>
        <SectionCard>
          <FormPanel form={form} submitLabel="Email me a link" busyLabel="Sending…">
            <FormField form={form} name="email" label="Email" type="email" inputMode="email" autoComplete="username" />
          </FormPanel>
        </SectionCard>
        <Text>
          <TextLink to={PAGES.loginV2.path}>Back to log in</TextLink>
        </Text>
      </Stack>
    </Page>
  );
}
