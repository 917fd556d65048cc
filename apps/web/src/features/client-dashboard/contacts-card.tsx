/** The client's own email address and phone number, and its contacts. */
import type { ClientContact } from '@portal/contract/client-contacts.ts';
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { toClientInput, type ClientIds, type ClientProfile } from './client-page.ts';
import { SmallTable, UNKNOWN_VALUE, type SmallColumn } from './small-table.tsx';

const ContactDialog = lazy(() => import('./contact-dialog.tsx').then((file) => ({ default: file.ContactDialog })));

/** "new" while the user is adding a contact. */
type OpenContact = ClientContact | 'new' | undefined;

export function ContactsCard({ ids, client }: { ids: ClientIds; client: ClientProfile }) {
  const query = useQuery(apiQuery(clientDashboardApi.contacts, toClientInput(ids)));
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<OpenContact>();
  const remove = useMutation({
    mutationFn: ({ contact_id: contactId }: ClientContact) =>
      apiRequest(clientDashboardApi.removeContact, { ...toClientInput(ids), contact_id: contactId }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [clientDashboardApi.contacts.path] }),
  });
  const columns: readonly SmallColumn<ClientContact>[] = [
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Role', cell: ({ role }) => role || UNKNOWN_VALUE },
    { title: 'Email', cell: ({ email }) => (email === '' ? UNKNOWN_VALUE : <TextLink href={`mailto:${email}`}>{email}</TextLink>) },
    { title: 'Phone', cell: ({ phone }) => (phone === '' ? UNKNOWN_VALUE : <TextLink href={toPhoneLink(phone)}>{phone}</TextLink>) },
    {
      title: 'Action',
      cell: (contact) => (
        <Row gap={8}>
          <Button size="small" variant="text" fit="flush" onClick={() => setOpen(contact)}>
            Edit <HiddenText>{contact.name}</HiddenText>
          </Button>
          <Button size="small" variant="text" fit="flush" disabled={remove.isPending} onClick={() => remove.mutate(contact)}>
            Remove <HiddenText>{contact.name}</HiddenText>
          </Button>
        </Row>
      ),
    },
  ];
  return (
    <SectionCard
      title="Contacts"
      aside={
        <Button size="small" variant="outlined" onClick={() => setOpen('new')}>
          Add contact
        </Button>
      }
      source={<ClientDetails client={client} />}
    >
      <LoadState query={query} skeleton={<TableSkeleton rows={2} />}>
        {({ contacts }) =>
          contacts.length === 0 ? (
            <Text tone="quiet">No contacts yet.</Text>
          ) : (
            <SmallTable label="People to contact" columns={columns} rows={contacts} getKey={(contact) => contact.contact_id} />
          )
        }
      </LoadState>
      {remove.error !== null && (
        <Text role="alert" tone="error">
          {getErrorText(remove.error)}
        </Text>
      )}
      <Suspense fallback={null}>
        {open !== undefined && <ContactDialog ids={ids} contact={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </SectionCard>
  );
}

const toPhoneLink = (phone: string): string => `tel:${phone.replaceAll(/[^\d+]/g, '')}`;

function ClientDetails({ client: { email, phone, postcode } }: { client: ClientProfile }) {
  if (email === null && phone === null && postcode === null) return 'The client’s own email, phone and postcode are in its details.';
  return (
    <>
      In the client’s details: {email !== null && <TextLink href={`mailto:${email}`}>{email}</TextLink>}
      {email !== null && phone !== null && ', '}
      {phone !== null && <TextLink href={toPhoneLink(phone)}>{phone}</TextLink>}
      {postcode !== null && `${email === null && phone === null ? '' : ', '}${postcode}`}
    </>
  );
}
