import { companyPeopleApi } from '@portal/contract/company-people.ts';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getFieldErrors } from '../../lib/contract-form.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { CompanyAccessFields, NEW_MEMBER_ACCESS, toCompanyAccessInput } from './company-access-fields.tsx';
import { usePeopleAction } from './use-people-action.ts';

const HINT = 'They get a link that works for seven days.';

/** Invites one user to the company. */
export function InviteDialog({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [isLeft, setIsLeft] = useState(false);
  const [access, setAccess] = useState(NEW_MEMBER_ACCESS);
  const actionMutation = usePeopleAction(onClose);
  const input = { company_id: companyId, email, ...toCompanyAccessInput(access) };
  const problem = email.trim() === '' ? 'Enter an email address.' : getFieldErrors(companyPeopleApi.invite.input, input)['email'];
  const error = isLeft && email.trim() !== '' ? problem : undefined;
  return (
    <ModalDialog open small heading="Invite someone" onClose={onClose} loading={actionMutation.isPending}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          actionMutation.mutate({ send: () => apiRequest(companyPeopleApi.invite, input), done: `Invitation sent to ${email.trim()}` });
        }}
      >
        <Stack gap={16}>
          {actionMutation.error && (
            <Notice tone="error" title="No one was invited" role="alert">
              {getErrorText(actionMutation.error)}
            </Notice>
          )}
          <FieldFrame id="people-email" label="Email address" hint={HINT} error={error}>
            <TextInput
              id="people-email"
              type="email"
              value={email}
              isInvalid={error !== undefined}
              aria-describedby={getDescribedBy('people-email', HINT, error)}
              aria-required="true"
              autoComplete="off"
              onBlur={() => setIsLeft(true)}
              onChange={({ target }) => setEmail(target.value)}
            />
          </FieldFrame>
          <CompanyAccessFields idPrefix="people-invite" value={access} onChange={setAccess} />
          <ButtonRow>
            <SubmitButton isBusy={actionMutation.isPending} missing={getMissingText([problem])}>
              Send invitation
            </SubmitButton>
          </ButtonRow>
        </Stack>
      </form>
    </ModalDialog>
  );
}
