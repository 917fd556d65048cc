/** Adds or changes a contact. */
import type { ClientContact } from '@portal/contract/client-contacts.ts';
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';

const FIELDS = [
  { name: 'name', label: 'Name', hint: undefined },
  { name: 'role', label: 'Role', hint: 'For example, director or bookkeeper' },
  { name: 'email', label: 'Email', hint: undefined },
  { name: 'phone', label: 'Phone', hint: undefined },
] as const;

const EMPTY_CONTACT = { name: '', role: '', email: '', phone: '' };

type ContactDialogProps = { ids: ClientIds; contact: ClientContact | undefined; onClose: () => void };

export function ContactDialog({ ids, contact, onClose }: ContactDialogProps) {
  const [texts, setTexts] = useState(() => {
    const { name, role, email, phone } = contact ?? EMPTY_CONTACT;
    return { name, role, email, phone };
  });
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      contact === undefined
        ? apiRequest(clientDashboardApi.addContact, { ...toClientInput(ids), ...texts })
        : apiRequest(clientDashboardApi.editContact, { ...toClientInput(ids), contact_id: contact.contact_id, ...texts }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [clientDashboardApi.contacts.path] });
      onClose();
    },
  });
  const isChanged = FIELDS.some(({ name }) => texts[name].trim() !== (contact ?? EMPTY_CONTACT)[name]);
  const missing = getMissingText([texts.name.trim() === '' ? 'Enter the contact’s name.' : undefined], isChanged);
  const fieldErrors: Readonly<Record<string, string>> = save.error instanceof ApiError ? save.error.fieldErrors : {};
  return (
    <ModalDialog
      open
      small
      heading={contact === undefined ? 'Add contact' : 'Edit contact'}
      onClose={onClose}
      loading={save.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton form="contact-form" missing={missing} isBusy={save.isPending}>
            Save contact
          </SubmitButton>
        </>
      }
    >
      <form
        id="contact-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === undefined) save.mutate();
        }}
      >
        {FIELDS.map(({ name, label, hint }) => {
          const id = `contact-${name}`;
          return (
            <FieldFrame key={name} id={id} label={label} hint={hint} error={fieldErrors[name]} optional={name !== 'name'}>
              <TextInput
                id={id}
                type={name === 'email' ? 'email' : name === 'phone' ? 'tel' : 'text'}
                value={texts[name]}
                onChange={({ target: { value } }) => setTexts({ ...texts, [name]: value })}
                maxLength={name === 'email' ? 254 : 160}
                isInvalid={fieldErrors[name] !== undefined}
                aria-describedby={getDescribedBy(id, hint, fieldErrors[name])}
              />
            </FieldFrame>
          );
        })}
        {save.error !== null && Object.keys(fieldErrors).length === 0 && (
          <Notice tone="error" title="We couldn’t save this contact" role="alert">
            {getErrorText(save.error)}
          </Notice>
        )}
      </form>
    </ModalDialog>
  );
}
