/** Changes the email address: the form, and any pending confirmations. */
import { securityApi } from '@portal/contract/security.ts';
import { useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { getSandboxUrl } from '../../lib/settings.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ActionError } from './action-error.tsx';
import { useInvalidateSecurity, useSecurityAction, type Security } from './use-security.ts';

export function EmailChangeForm({ close }: { close: () => void }) {
  const invalidateSecurity = useInvalidateSecurity();
  const form = useContractForm<typeof securityApi.requestEmailChange, { email: string }>(securityApi.requestEmailChange, {
    idPrefix: 'change-email',
    defaults: { email: '' },
    send: async (input) => {
      await apiRequest(securityApi.requestEmailChange, input);
      await invalidateSecurity();
      close();
    },
  });
  return (
    <FormPanel
      form={form}
      submitLabel="Send links"
      busyLabel="Sending…"
      otherActions={
        <Button variant="text" onClick={close}>
          Cancel
        </Button>
      }
    >
      <FormField
        form={form}
        name="email"
        label="New email"
        type="email"
        hint="We’ll send a link to your old and new email addresses. Your email changes once you’ve confirmed both."
        autoComplete="email"
      />
    </FormPanel>
  );
}

type PendingProps = { email: string; change: NonNullable<Security['email_change']> };

export function PendingEmailChange({ email, change }: PendingProps) {
  const [isEditing, setIsEditing] = useState(false);
  const cancel = useSecurityAction(() => apiRequest(securityApi.cancelEmailChange, {}), 'Your email won’t change.');
  const waitingAddresses = [...(change.old_confirmed ? [] : [email]), ...(change.new_confirmed ? [] : [change.new_email])];
  const sandbox = getSandboxUrl();
  return (
    <Stack align="start">
      <Notice tone="info" title={`Your email will change to ${change.new_email}`} role="status">
        {`Open the link we sent to ${waitingAddresses.join(' and the one we sent to ')} before `}
        <InstantText at={change.expires_at} />. Until then, log in with {email}.
        {sandbox !== '' && (
          <>
            {' '}
            In the sandbox, the emails are in the{' '}
            <TextLink href={`${sandbox}/mailbox`} target="_blank" rel="noreferrer">
              sandbox’s mailbox
            </TextLink>
            .
          </>
        )}
      </Notice>
      <ActionError error={cancel.error} />
      {isEditing ? (
        <EmailChangeForm close={() => setIsEditing(false)} />
      ) : (
        <ButtonRow>
          <Button variant="outlined" size="small" onClick={() => setIsEditing(true)}>
            Send new links
          </Button>
          <Button variant="text" size="small" onClick={() => cancel.mutate(undefined)} isBusy={cancel.isPending}>
            Cancel the change
          </Button>
        </ButtonRow>
      )}
    </Stack>
  );
}
