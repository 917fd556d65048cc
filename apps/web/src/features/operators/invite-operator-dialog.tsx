import { approvalsApi } from '@portal/contract/approvals.ts';
import { operatorPeopleApi } from '@portal/contract/operator-people.ts';
import type { OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import { RoleChoices } from './role-choices.tsx';

type Values = { email: string; full_name: string; private_email: string; reason: string };

/**
 * Requests another administrator's approval of an invitation. The invited person becomes an operator once they use the emailed link and set
 * up a second factor.
 */
export function InviteOperatorDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const [roles, setRoles] = useState<readonly OperatorRole[]>(['support']);
  const form = useContractForm<typeof operatorPeopleApi.invite, Values>(operatorPeopleApi.invite, {
    idPrefix: 'invite-operator',
    defaults: { email: '', full_name: '', private_email: '', reason: '' },
    fixed: { roles: [...roles] },
    send: async (input) => {
      await apiRequest(operatorPeopleApi.invite, { ...input, roles: [...roles] });
      await queryClient.invalidateQueries({ queryKey: [approvalsApi.list.path] });
      toast('success', 'Sent to a second administrator');
      onClose();
    },
  });
  return (
    <ModalDialog open small heading="Invite operator" onClose={onClose} loading={form.isSubmitting}>
      <Stack>
        <Text>
          Another administrator must approve the invitation. We then email a link that works once, within 24 hours. It opens the page for
          setting up a passkey or an authenticator app. Every operator is emailed, and the new one can decide about money after a whole
          working day.
        </Text>
        <FormPanel form={form} submitLabel="Request approval" busyLabel="Sending…">
          <FormField
            form={form}
            name="full_name"
            label="Full name"
            hint="As in their passport. They can’t make decisions about a company whose people have this name."
            autoComplete="off"
          />
          <FormField form={form} name="email" label="Work email" type="email" autoComplete="off" />
          <FormField
            form={form}
            name="private_email"
            label="Personal email"
            hint="They can’t make decisions about a company if any of its users has this email address."
            type="email"
            autoComplete="off"
            optional
          />
          <RoleChoices chosen={roles} onChange={setRoles} error={roles.length === 0 ? 'Choose at least one role' : undefined} />
          <FormField
            form={form}
            name="reason"
            label="Reason"
            hint="The other administrator will see it, and it’s saved in the history."
            autoComplete="off"
          />
        </FormPanel>
      </Stack>
    </ModalDialog>
  );
}
