/** One operator's access: roles, sessions, a new enrolment link, disabling. */
import { operatorPeopleApi } from '@portal/contract/operator-people.ts';
import type { OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { OperatorPerson } from './operator-outputs.ts';
import { RoleChoices } from './role-choices.tsx';

type Action = 'roles' | 'sessions' | 'link' | 'disable';

const DONE: Readonly<Record<Action, string>> = {
  roles: 'Roles changed',
  sessions: 'Sessions ended',
  link: 'New link sent',
  disable: 'Operator disabled',
};

type OperatorDialogProps = { person: OperatorPerson | undefined; onClose: () => void };

/** Open while a person is given. */
export function OperatorDialog({ person, onClose }: OperatorDialogProps) {
  if (person === undefined) return null;
  return <OpenDialog key={person.user_id} person={person} onClose={onClose} />;
}

function OpenDialog({ person, onClose }: { person: OperatorPerson; onClose: () => void }) {
  const queries = useQueryClient();
  const toast = useToast();
  const [roles, setRoles] = useState<readonly OperatorRole[]>(person.roles);
  const act = useMutation({
    mutationFn: (action: Action) => {
      const target = { user_id: person.user_id };
      if (action === 'roles') return apiRequest(operatorPeopleApi.changeRoles, { ...target, roles: [...roles] });
      if (action === 'sessions') return apiRequest(operatorPeopleApi.endSessions, target);
      return apiRequest(action === 'link' ? operatorPeopleApi.renewLink : operatorPeopleApi.disable, target);
    },
    onSuccess: (_answer, action) => {
      toast('success', DONE[action]);
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [operatorPeopleApi.list.path] }),
  });
  const button = (action: Action) => ({
    onClick: () => act.mutate(action),
    isBusy: act.isPending && act.variables === action,
    disabled: act.isPending,
  });
  const isUnchanged = roles.length === person.roles.length && roles.every((role) => person.roles.includes(role));
  return (
    <ModalDialog open small heading={`Access of ${person.full_name}`} onClose={onClose} loading={act.isPending}>
      <Stack gap={24}>
        {act.error && (
          <Notice tone="error" title="Access not changed" role="alert">
            {errorText(act.error)}
          </Notice>
        )}
        <Stack>
          <RoleChoices chosen={roles} onChange={setRoles} error={roles.length === 0 ? 'Choose at least one role' : undefined} />
          <div>
            <Button {...button('roles')} disabled={act.isPending || isUnchanged || roles.length === 0}>
              Save roles
            </Button>
          </div>
        </Stack>
        <Stack gap={8}>
          <Text size="small" tone="quiet">
            A new link removes their passkeys and authenticator app, so they start again. Disabling ends their access and sessions at once;
            a new link enables them again.
          </Text>
          <ButtonRow>
            <Button variant="outlined" size="small" {...button('sessions')} disabled={act.isPending || person.sessions === 0}>
              End sessions
            </Button>
            <Button variant="outlined" size="small" {...button('link')}>
              Send new link
            </Button>
            {person.status !== 'disabled' && (
              <Button variant="outlined" size="small" tone="error" {...button('disable')}>
                Disable
              </Button>
            )}
          </ButtonRow>
        </Stack>
      </Stack>
    </ModalDialog>
  );
}
