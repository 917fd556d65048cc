/**
 * One operator's access. New roles and a new enrolment link need another administrator's approval; ending sessions and disabling apply
 * immediately.
 */
import { approvalsApi } from '@portal/contract/approvals.ts';
import { operatorPeopleApi } from '@portal/contract/operator-people.ts';
import type { OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { OperatorPerson } from './operator-outputs.ts';
import { getReasonError, ReasonField } from './reason-field.tsx';
import { RoleChoices } from './role-choices.tsx';
import { MissingLine } from '../../ui/missing-line.tsx';

type Action = 'roles' | 'sessions' | 'link' | 'disable';

const DONE_MESSAGES: Readonly<Record<Action, string>> = {
  roles: 'Sent to a second administrator',
  sessions: 'Sessions ended',
  link: 'Sent to a second administrator',
  disable: 'Operator disabled',
};

type OperatorDialogProps = { person: OperatorPerson | undefined; onClose: () => void };

/** Open while `person` is set. */
export function OperatorDialog({ person, onClose }: OperatorDialogProps) {
  if (person === undefined) return null;
  return <OpenDialog key={person.user_id} person={person} onClose={onClose} />;
}

function OpenDialog({ person, onClose }: { person: OperatorPerson; onClose: () => void }) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const [roles, setRoles] = useState<readonly OperatorRole[]>(person.roles);
  const [reason, setReason] = useState('');
  const missingId = useId();
  const reasonError = getReasonError(reason);
  const actionMutation = useMutation({
    mutationFn: (action: Action): Promise<unknown> => {
      const target = { user_id: person.user_id };
      if (action === 'roles') return apiRequest(operatorPeopleApi.changeRoles, { ...target, roles: [...roles], reason });
      if (action === 'sessions') return apiRequest(operatorPeopleApi.endSessions, target);
      if (action === 'link') return apiRequest(operatorPeopleApi.renewLink, { ...target, reason });
      return apiRequest(operatorPeopleApi.disable, target);
    },
    onSuccess: (_response, action) => {
      toast('success', DONE_MESSAGES[action]);
      onClose();
    },
    onSettled: () =>
      Promise.all([operatorPeopleApi.list, approvalsApi.list].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] }))),
  });
  const isUnchanged = roles.length === person.roles.length && roles.every((role) => person.roles.includes(role));
  const getButtonProps = (action: Action) => ({
    onClick: () => actionMutation.mutate(action),
    isBusy: actionMutation.isPending && actionMutation.variables === action,
    disabled: actionMutation.isPending,
  });
  const getRequestButton = (action: 'roles' | 'link') => ({
    ...getButtonProps(action),
    'aria-describedby': missingId,
    disabled: actionMutation.isPending || reasonError !== undefined || (action === 'roles' && (isUnchanged || roles.length === 0)),
  });
  return (
    <ModalDialog open small heading={`Access for ${person.full_name}`} onClose={onClose} loading={actionMutation.isPending}>
      <Stack gap={24}>
        {actionMutation.error && (
          <Notice tone="error" title="Access not changed" role="alert">
            {getErrorText(actionMutation.error)}
          </Notice>
        )}
        <Stack>
          <Text size="small" tone="quiet">
            Another administrator must approve new roles and a new link. A new link removes their passkeys and authenticator app, so they
            have to set them up again; it also re-enables a disabled operator.
          </Text>
          <RoleChoices chosen={roles} onChange={setRoles} error={roles.length === 0 ? 'Choose at least one role' : undefined} />
          <ReasonField id="access-reason" value={reason} onChange={setReason} label="Reason for new roles or a new link" />
          <ButtonRow>
            <Button {...getRequestButton('roles')}>Request role change</Button>
            <Button variant="outlined" {...getRequestButton('link')}>
              Request new link
            </Button>
            <MissingLine id={missingId}>{reasonError ?? (isUnchanged ? 'Select different roles to change them.' : undefined)}</MissingLine>
          </ButtonRow>
        </Stack>
        <Stack gap={8}>
          <Text size="small" tone="quiet">
            These apply immediately, without a second administrator.
          </Text>
          <ButtonRow>
            <Button
              variant="outlined"
              size="small"
              {...getButtonProps('sessions')}
              disabled={actionMutation.isPending || person.sessions === 0}
            >
              End sessions
            </Button>
            {person.status !== 'disabled' && (
              <Button variant="outlined" size="small" tone="error" {...getButtonProps('disable')}>
                Disable
              </Button>
            )}
          </ButtonRow>
        </Stack>
      </Stack>
    </ModalDialog>
  );
}
