/** Dialogs for the portal access card: invite, manage an invitation, end someone's access. */
import { clientInvitationsApi, type ClientInvitation, type ClientPerson } from '@portal/contract/client-invitations.ts';
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { CLIENT_INVITATION_DAYS } from '@portal/domain/clients/invitation-state.ts';
import { engagementApi } from '@portal/contract/engagement.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { ApiError, apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import { toClientInput, type ClientIds, type ClientProfile } from './client-page.ts';
import { INVITATION_CHIPS } from '../../components/invitations/invitation-chips.ts';

type Action = { readonly send: () => Promise<unknown>; readonly done: string };

function useAction(onClose: () => void) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: ({ send }: Action) => send(),
    onSuccess: (_response, { done }) => {
      toast('success', done);
      onClose();
    },
    onSettled: () =>
      Promise.all(
        [clientInvitationsApi.read, clientDashboardApi.timeline].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
      ),
  });
}

const isAddress = (text: string): boolean => /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/.test(text.trim());

type EmailFieldProps = {
  id: string;
  label: string;
  hint?: string;
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
};

function EmailField({ id, label, hint, value, error, onChange }: EmailFieldProps) {
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <TextInput
        id={id}
        type="email"
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        maxLength={254}
        isInvalid={error !== undefined}
        aria-describedby={getDescribedBy(id, hint, error)}
      />
    </FieldFrame>
  );
}

type InviteDialogProps = {
  ids: ClientIds;
  client: ClientProfile;
  suggestions: readonly { readonly email: string; readonly name: string }[];
  onClose: () => void;
};

const OUTCOMES = {
  invited: (email: string) => `Invitation sent to ${email}`,
  already_invited: (email: string) => `${email} already has an open invitation`,
  has_access: (email: string) => `${email} already has access`,
} as const;

export function InviteDialog({ ids, client, suggestions, onClose }: InviteDialogProps) {
  const [email, setEmail] = useState(suggestions[0]?.email ?? '');
  const letters = useQuery(apiQuery(engagementApi.list, toClientInput(ids)));
  const [current] = letters.data?.letters ?? [];
  // A letter that has been sent or signed must not be replaced, and one that is still unsigned is shown for signature anyway.
  const maySendLetter = letters.data !== undefined && letters.data.draft !== null && current === undefined;
  const [sendsLetter, setSendsLetter] = useState(true);
  const queryClient = useQueryClient();
  const toast = useToast();
  const invite = useMutation({
    mutationFn: () => apiRequest(clientInvitationsApi.send, { ...toClientInput(ids), email, with_letter: sendsLetter && maySendLetter }),
    onSuccess: async ({ outcome }) => {
      toast('success', OUTCOMES[outcome](email.trim()));
      await queryClient.invalidateQueries({ queryKey: [clientInvitationsApi.read.path] });
      onClose();
    },
  });
  const fieldError = invite.error instanceof ApiError ? invite.error.fieldErrors['email'] : undefined;
  const missing = getMissingText([isAddress(email) ? undefined : 'Enter an email address.'], true);
  return (
    <ModalDialog
      open
      small
      heading="Invite to the client portal"
      onClose={onClose}
      loading={invite.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton form="invite-client" missing={missing} isBusy={invite.isPending}>
            Send invitation
          </SubmitButton>
        </>
      }
    >
      <form
        id="invite-client"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === undefined) invite.mutate();
        }}
      >
        <Stack gap={16}>
          <EmailField id="invite-email" label="Email" value={email} error={fieldError} onChange={setEmail} />
          {suggestions.length > 1 && (
            <Row gap={8}>
              {suggestions.map((suggestion) => (
                <Button key={suggestion.email} size="small" variant="outlined" onClick={() => setEmail(suggestion.email)}>
                  {suggestion.name}
                </Button>
              ))}
            </Row>
          )}
          {maySendLetter && (
            <Checkbox
              label="Also send the letter of engagement to sign"
              checked={sendsLetter}
              onChange={({ target: { checked } }) => setSendsLetter(checked)}
            />
          )}
          <Text size="small" tone="quiet">
            The person who accepts will see {client.full_name}’s taxes. The link in the email works once, within {CLIENT_INVITATION_DAYS}{' '}
            days, for this address only. We’ll remind them up to three times. Once they’ve joined, we ask for a phone number, consent to
            electronic communication, and anything HMRC or a letter still needs.
          </Text>
          {invite.error !== null && fieldError === undefined && (
            <Notice tone="error" title="The invitation wasn’t sent" role="alert">
              {getErrorText(invite.error)}
            </Notice>
          )}
        </Stack>
      </form>
    </ModalDialog>
  );
}

export function InvitationDialog({ ids, invitation, onClose }: { ids: ClientIds; invitation: ClientInvitation; onClose: () => void }) {
  const [email, setEmail] = useState(invitation.email);
  const actionMutation = useAction(onClose);
  const target = { ...toClientInput(ids), invitation_id: invitation.invitation_id };
  const isOther = email.trim().toLowerCase() !== invitation.email;
  const fieldError = actionMutation.error instanceof ApiError ? actionMutation.error.fieldErrors['email'] : undefined;
  const resend = () =>
    actionMutation.mutate({
      send: () => apiRequest(clientInvitationsApi.resend, { ...target, email }),
      done: `Invitation sent to ${email.trim()}`,
    });
  return (
    <ModalDialog
      open
      small
      heading="Invitation"
      onClose={onClose}
      loading={actionMutation.isPending}
      actions={
        <>
          <Button
            variant="outlined"
            tone="error"
            disabled={actionMutation.isPending}
            onClick={() =>
              actionMutation.mutate({ send: () => apiRequest(clientInvitationsApi.revoke, target), done: 'Invitation revoked' })
            }
          >
            Revoke
          </Button>
          <Button disabled={actionMutation.isPending || !isAddress(email)} onClick={resend}>
            {isOther ? 'Send to this address' : 'Send again'}
          </Button>
        </>
      }
    >
      <Stack gap={16}>
        {actionMutation.error !== null && fieldError === undefined && (
          <Notice tone="error" title="Nothing has changed" role="alert">
            {getErrorText(actionMutation.error)}
          </Notice>
        )}
        <FactList
          facts={[
            { label: 'Status', value: INVITATION_CHIPS[invitation.state].label },
            { label: 'Invited by', value: invitation.invited_by },
            ...(invitation.sent_at === null ? [] : [{ label: 'Sent', value: <InstantText at={invitation.sent_at} /> }]),
            ...(invitation.opened_at === null ? [] : [{ label: 'Opened', value: <InstantText at={invitation.opened_at} /> }]),
            ...(invitation.expires_at === null ? [] : [{ label: 'Link works until', value: <InstantText at={invitation.expires_at} /> }]),
            { label: 'Reminders', value: `${invitation.reminders} of 3${invitation.reminders_ended ? '; no more will be sent' : ''}` },
          ]}
        />
        <EmailField id="resend-email" label="Email" value={email} error={fieldError} onChange={setEmail} />
        <Text size="small" tone="quiet">
          Each email has a new link that works for {CLIENT_INVITATION_DAYS} days. The earlier link stops working.
        </Text>
      </Stack>
    </ModalDialog>
  );
}

type RemovePersonDialogProps = { ids: ClientIds; client: ClientProfile; person: ClientPerson; onClose: () => void };

export function RemovePersonDialog({ ids, client, person, onClose }: RemovePersonDialogProps) {
  const actionMutation = useAction(onClose);
  const { user_id: userId, full_name: name, email } = person;
  const remove = () =>
    actionMutation.mutate({
      send: () => apiRequest(clientInvitationsApi.removePerson, { ...toClientInput(ids), user_id: userId }),
      done: `${name} no longer has access`,
    });
  return (
    <ConfirmDialog
      heading={`End ${name}’s access?`}
      mutation={actionMutation}
      onConfirm={remove}
      onClose={onClose}
      confirmLabel="End access"
      tone="error"
    >
      <Text>
        {name} ({email}) won’t see {client.full_name}’s taxes any more. Other people with access to this client get an email. You can invite
        them again.
      </Text>
    </ConfirmDialog>
  );
}
