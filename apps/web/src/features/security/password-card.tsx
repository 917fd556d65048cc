import { securityApi } from '@portal/contract/security.ts';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useInvalidateSecurity, type Security } from './use-security.ts';

export function PasswordCard({ security }: { security: Security }) {
  const [isOpen, setIsOpen] = useState(false);
  const hasPassword = security.has_password;
  return (
    <SectionCard
      title="Password"
      headingLevel={3}
      aside={
        !isOpen && (
          <Button variant="outlined" size="small" onClick={() => setIsOpen(true)}>
            {hasPassword ? 'Change the password' : 'Set a password'}
          </Button>
        )
      }
    >
      <Typography sx={{ mb: isOpen ? 3 : 0 }}>
        {hasPassword ? 'You can log in with your email and a password.' : 'You have no password: you log in by a link or in another way.'}
      </Typography>
      {isOpen && <PasswordForm hasPassword={hasPassword} email={security.email} close={() => setIsOpen(false)} />}
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
        toast('success', 'Your password is saved. Other devices are logged out');
        close();
      },
    },
  );
  return (
    <FormPanel
      form={form}
      submitLabel="Save the password"
      busyLabel="Saving ..."
      otherActions={
        <Button variant="text" onClick={close}>
          Cancel
        </Button>
      }
    >
      {/* Password managers save the password together with this username. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      {hasPassword && (
        <FormField form={form} name="current_password" label="Current password" type="password" autoComplete="current-password" />
      )}
      <FormField
        form={form}
        name="new_password"
        label="New password"
        hint="At least 10 characters. Your other devices will be logged out."
        type="password"
        autoComplete="new-password"
      />
    </FormPanel>
  );
}
