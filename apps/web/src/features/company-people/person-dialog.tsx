import { companyPeopleApi, type CompanyPerson } from '@portal/contract/company-people.ts';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { CompanyAccessFields, toCompanyAccessInput, type CompanyAccessChoice } from './company-access-fields.tsx';
import { usePeopleAction } from './use-people-action.ts';

type PersonDialogProps = { companyId: string; person: CompanyPerson; onClose: () => void };

/** Changes one user's permissions, or ends their access. */
export function PersonDialog({ companyId, person, onClose }: PersonDialogProps) {
  const existing: CompanyAccessChoice = { role: person.role, permissions: person.permissions };
  const [access, setAccess] = useState(existing);
  const actionMutation = usePeopleAction(onClose);
  const target = { company_id: companyId, user_id: person.user_id };
  const input = toCompanyAccessInput(access);
  const isChanged = JSON.stringify(input) !== JSON.stringify(toCompanyAccessInput(existing));
  return (
    <ModalDialog open small heading={person.full_name} onClose={onClose} loading={actionMutation.isPending}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          actionMutation.mutate({
            send: () => apiRequest(companyPeopleApi.change, { ...target, ...input }),
            done: `Access for ${person.full_name} changed`,
          });
        }}
      >
        <Stack gap={16}>
          {actionMutation.error && (
            <Notice tone="error" title="Nothing has changed" role="alert">
              {getErrorText(actionMutation.error)}
            </Notice>
          )}
          <CompanyAccessFields idPrefix="people-change" value={access} onChange={setAccess} />
          <ButtonRow>
            <SubmitButton
              isBusy={actionMutation.isPending}
              missing={getMissingText([], isChanged)}
              otherActions={
                !person.is_you && (
                  <Button
                    variant="outlined"
                    tone="error"
                    disabled={actionMutation.isPending}
                    onClick={() =>
                      actionMutation.mutate({
                        send: () => apiRequest(companyPeopleApi.remove, target),
                        done: `${person.full_name} no longer has access`,
                      })
                    }
                  >
                    End access
                  </Button>
                )
              }
            >
              Save
            </SubmitButton>
          </ButtonRow>
        </Stack>
      </form>
    </ModalDialog>
  );
}
