/** Invites colleagues: one email address or a pasted list. Then shows the outcome for each address. */
import { teamApi } from '@portal/contract/team.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { practiceApi } from '@portal/contract/practice.ts';
import { parseInvitedAddresses } from '@portal/domain/team/invited-addresses.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextArea } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { AccessFields, getGroupsError, NEW_MEMBER, toAccessInput, type AccessChoice } from './access-fields.tsx';

type InviteResults = EndpointOutput<typeof teamApi.invite>['results'];

const HINT = 'Separate multiple addresses with commas or new lines. Each person gets a link that works for seven days.';

/** `otherActions`: shown next to the button. */
export function InviteForm({ companyId, otherActions }: { companyId: string; otherActions?: ReactNode }) {
  const queryClient = useQueryClient();
  const [emails, setEmails] = useState('');
  const [isEmailTouched, setIsEmailTouched] = useState(false);
  const [access, setAccess] = useState<AccessChoice>(NEW_MEMBER);
  const addresses = parseInvitedAddresses(emails);
  const invite = useMutation({
    mutationFn: (list: readonly string[]) =>
      apiRequest(teamApi.invite, { company_id: companyId, emails: [...list], ...toAccessInput(access) }),
    onSuccess: () => {
      setEmails('');
      setIsEmailTouched(false);
      return Promise.all([teamApi.list, practiceApi.progress].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })));
    },
  });
  const count = addresses.ok ? addresses.value.length : 0;
  const error = isEmailTouched && emails.trim() !== '' && !addresses.ok ? addresses.reason : undefined;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (addresses.ok && !invite.isPending) invite.mutate(addresses.value);
      }}
    >
      <Stack gap={0}>
        {invite.data && <InviteResult results={invite.data.results} />}
        {invite.error && (
          <Notice tone="error" title="No one was invited" role="alert">
            {getErrorText(invite.error)}
          </Notice>
        )}
        <FieldFrame id="invite-emails" label="Email addresses" hint={HINT} error={error}>
          <TextArea
            id="invite-emails"
            rows={3}
            value={emails}
            isInvalid={error !== undefined}
            aria-describedby={getDescribedBy('invite-emails', HINT, error)}
            aria-required="true"
            autoComplete="off"
            onBlur={() => setIsEmailTouched(true)}
            onChange={({ target }) => setEmails(target.value)}
          />
        </FieldFrame>
        <AccessFields idPrefix="invite" companyId={companyId} value={access} onChange={setAccess} />
        <ButtonRow>
          <SubmitButton
            isBusy={invite.isPending}
            missing={getMissingText([addresses.ok ? undefined : addresses.reason, getGroupsError(access)])}
            otherActions={otherActions}
          >
            {count > 1 ? `Invite ${count} people` : 'Send invitation'}
          </SubmitButton>
        </ButtonRow>
      </Stack>
    </form>
  );
}

const OTHER_OUTCOMES = [
  ['already_invited', 'already invited. You can resend the invitation from the list.'],
  ['member', 'already in your team.'],
  ['deactivated', 'deactivated. Reactivate them in the list instead.'],
] as const;

function InviteResult({ results }: { results: InviteResults }) {
  const listEmails = (outcome: InviteResults[number]['outcome']): string[] =>
    results.filter((result) => result.outcome === outcome).map(({ email }) => email);
  const invitedEmails = listEmails('invited');
  const otherOutcomes = OTHER_OUTCOMES.flatMap(([outcome, text]) => {
    const emails = listEmails(outcome);
    return emails.length === 0 ? [] : [`${emails.join(', ')}: ${text}`];
  });
  return (
    <Notice
      tone={otherOutcomes.length === 0 ? 'success' : 'info'}
      title={
        invitedEmails.length === 0
          ? 'No new invitations'
          : `Invited ${invitedEmails.length === 1 ? invitedEmails[0] : `${invitedEmails.length} people`}`
      }
      role="status"
    >
      {otherOutcomes.length === 0 ? 'They’re listed as invited until they accept.' : otherOutcomes.join(' ')}
    </Notice>
  );
}
