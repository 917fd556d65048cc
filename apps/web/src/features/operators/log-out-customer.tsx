/** Logs a customer out on every device, with a reason, after an account was taken over or a device was lost. */
import { customerSessionsApi } from '@portal/contract/customer-sessions.ts';
import { operatorCompaniesApi } from '@portal/contract/operator-companies.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../core/session.tsx';
import { apiRequest } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Text } from '../../ui/text.tsx';
import { getReasonError, ReasonField } from './reason-field.tsx';

type Customer = { readonly user_id: string; readonly name: string };

export function LogOutCustomer({ person }: { person: Customer }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="text" size="small" fit="flush" onClick={() => setOpen(true)}>
        Log out<HiddenText> {person.name}</HiddenText>
      </Button>
      {isOpen && <LogOutDialog person={person} onClose={() => setOpen(false)} />}
    </>
  );
}

function LogOutDialog({ person, onClose }: { person: Customer; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [removesMethods, setRemovesMethods] = useState(false);
  const { session } = useSession();
  const isAdministrator = session.status === 'signed_in' && session.person.operator_roles?.includes('administrator') === true;
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: () => apiRequest(customerSessionsApi.end, { user_id: person.user_id, reason, removes_methods: removesMethods }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [operatorCompaniesApi.get.path] }),
  });
  if (mutation.isSuccess) {
    const doneButton = <Button onClick={onClose}>Done</Button>;
    return (
      <ModalDialog open small heading={`${person.name} is logged out`} onClose={onClose} actions={doneButton}>
        <Text>We’ve emailed them. They can log in with an emailed link, and set a new password.</Text>
      </ModalDialog>
    );
  }
  return (
    <ConfirmDialog
      heading={`Log ${person.name} out everywhere?`}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
      onClose={onClose}
      confirmLabel="Log out"
      missing={getReasonError(reason)}
      errorTitle="They weren’t logged out"
    >
      <Text>
        Every device is logged out. Their password, unused links to log in, API keys, connected apps and calendar links stop working. They
        can log in again with an emailed link.
      </Text>
      {isAdministrator && (
        <Checkbox
          label="Also remove their passkeys, authenticator app and linked accounts, such as Google"
          hint="If someone else added one, or a device that holds one is lost. Check first that it’s really them."
          checked={removesMethods}
          onChange={() => setRemovesMethods(!removesMethods)}
        />
      )}
      <ReasonField id="log-out-reason" value={reason} onChange={setReason} hint="Saved in the company’s audit trail with your name." />
    </ConfirmDialog>
  );
}
