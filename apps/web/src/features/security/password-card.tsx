import { securityApi } from '@portal/contract/security.ts';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { Button } from '../../ui/button.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useInvalidateSecurity, type Security } from './use-security.ts';

export function PasswordCard({ security }: { security: Security }) {
  const [isOpen, setIsOpen] = useState(false);
  const hasPassword = security.has_password;
  return (
    <SectionCard
      title="Password"
      aside={
        !isOpen && (
          <Button variant="outlined" size="small" onClick={() => setIsOpen(true)}>
            {hasPassword ? 'Change password' : 'Set password'}
          </Button>
        )
      }
    >
      <Stack gap={24}>
        <Text tone="quiet">
          {hasPassword
            ? 'You can log in with your email and password.'
            : 'You don’t have a password. You log in with an emailed link or another method.'}
        </Text>
        {isOpen && <PasswordForm hasPassword={hasPassword} email={security.email} close={() => setIsOpen(false)} />}
      </Stack>
    </SectionCard>
  );
}

function PasswordForm({ hasPassword, email, close }: { hasPassword: boolean; email: string; close: () => void }) {
  const invalidateSecurity = useInvalidateSecurity();
  const toast = useToast();
  const form = useContractForm<typeof securityApi.changePassword, { current_password: string; new_password: string }>(
    securityApi.changePassword,
    {
      idPrefix: 'password',
      defaults: { current_password: '', new_password: '' },
      send: async (input) => {
        await apiRequest(securityApi.changePassword, input);
        await invalidateSecurity();
        toast('success', 'Password saved. Your other devices are logged out.');
        close();
      },
    },
  );
  return (
    <FormPanel
      form={form}
      submitLabel="Save password"
      busyLabel="Saving…"
      otherActions={
        <Button variant="text" onClick={close}>
          Cancel
        </Button>
      }
    >
      {/* Password managers save the password with this username. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      {hasPassword && (
        <FormField form={form} name="current_password" label="Current password" type="password" autoComplete="current-password" />
      )}
      <FormField
        form={form}
        name="new_password"
        label="New password"
        hint="At least 10 characters. We’ll log out your other devices."
        type="password"
        autoComplete="new-password"
      />
    </FormPanel>
  );
}
