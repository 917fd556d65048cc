/** One bookkeeping product: whether it is connected for all clients, and how to connect or disconnect it. */
import { practiceBooksApi, type BooksGrant } from '@portal/contract/practice-books.ts';
import { BOOKS_PROVIDER_NAMES } from '@portal/domain/connected-books/books-providers.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { STATE_LABELS } from './organisation-labels.ts';
import { usePracticeBooksChange } from './use-practice-books.ts';

type BooksProviderCardProps = { companyId: string; grant: BooksGrant };

const LEAD_SENTENCES: Readonly<Partial<Record<BooksGrant['program'], string>>> = {
  xero: 'Log in to Xero once and choose your clients’ organisations. We match each one to a client, and you confirm. We have read-only access.',
  freeagent:
    'Log in to FreeAgent once as an account manager of your practice. We read your client list and their books, match each one to a client here, and you confirm. We only read data, although FreeAgent only offers apps full access.',
};

export function BooksProviderCard({ companyId, grant }: BooksProviderCardProps) {
  const { program } = grant;
  const name = BOOKS_PROVIDER_NAMES[program];
  const [isDisconnecting, setIsDisconnecting] = useState(false);
  const connect = useMutation({
    mutationFn: () => apiRequest(practiceBooksApi.connect, { company_id: companyId, program }),
    onSuccess: ({ authorize_url: url }) => location.assign(url),
  });
  const refresh = usePracticeBooksChange(() => apiRequest(practiceBooksApi.refresh, { company_id: companyId, program }));
  const error = connect.error ?? refresh.error;
  const isRedirecting = connect.isPending || connect.isSuccess;
  const isConnected = grant.status === 'connected';
  return (
    <SectionCard title={name}>
      <Stack gap={16}>
        {grant.status === 'not_connected' && <Text measure>{LEAD_SENTENCES[program]}</Text>}
        {grant.status === 'lost' && (
          <Notice tone="error" title={`${name} no longer accepts our connection`}>
            {grant.lost_at !== null && (
              <>
                {grant.lost_reason === 'expired' && `${name} ends connections that haven’t been used for a long time. `}
                Since <InstantText at={grant.lost_at} />, your clients’ figures haven’t been updated from their books.{' '}
              </>
            )}
            The figures we’ve already read are still available. Connect {name} again: your clients stay linked.
          </Notice>
        )}
        {isConnected && <Facts grant={grant} />}
        {isConnected && grant.has_problem && (
          <Notice tone="warning" title={`We couldn’t read ${name}’s list of organisations`} role="status">
            The list below is from the last check. We’ll try again automatically, or you can check now.
          </Notice>
        )}
        {isConnected && grant.waits_until !== null && (
          <Notice tone="info" title={`${name} has asked us to wait`} role="status">
            We’ve reached the usage limit set by {name} for now, or it isn’t responding. We’ll continue on{' '}
            <InstantText at={grant.waits_until} />.
          </Notice>
        )}
        {grant.refused_login !== null && <RefusedLogin name={name} login={grant.refused_login} />}
        {error !== null && (
          <Notice tone="error" title="That didn’t work" role="alert">
            {getErrorText(error)}
          </Notice>
        )}
        <ButtonRow>
          {grant.is_available && (
            <Button variant="outlined" disabled={isRedirecting} onClick={() => connect.mutate()}>
              {grant.status === 'not_connected' ? `Connect ${name}` : isConnected ? 'Add organisations' : `Connect ${name} again`}
            </Button>
          )}
          {isConnected && (
            <Button variant="outlined" disabled={refresh.isPending || grant.unread > 0} onClick={() => refresh.mutate()}>
              Check for new organisations
            </Button>
          )}
          {grant.status !== 'not_connected' && (
            <Button variant="text" onClick={() => setIsDisconnecting(true)}>
              Disconnect {name}
            </Button>
          )}
        </ButtonRow>
        {isDisconnecting && <DisconnectDialog companyId={companyId} grant={grant} onClose={() => setIsDisconnecting(false)} />}
      </Stack>
    </SectionCard>
  );
}

/** A new login that lacks some clients' organisations doesn't replace the existing one that has them. */
function RefusedLogin({ name, login }: { name: string; login: NonNullable<BooksGrant['refused_login']> }) {
  const otherClientsText =
    login.others === 0
      ? ''
      : `${login.others.toLocaleString('en-GB')} ${login.others === 1 ? 'organisation of a client' : 'organisations of clients'} you can’t see`;
  const missingLogins = [...login.organisations, ...(otherClientsText === '' ? [] : [otherClientsText])];
  return (
    <Notice tone="warning" title={`Another ${name} login wasn’t accepted`}>
      On <InstantText at={login.at} /> someone logged in to {name} with a login that doesn’t have access to{' '}
      {new Intl.ListFormat('en-GB').format(missingLogins)}. Nothing has changed. Use a login that has access to them, or unlink them first.
    </Notice>
  );
}

function Facts({ grant }: { grant: BooksGrant }) {
  const { connected_at: connectedAt, listed_at: listedAt, organisations, linked, unread } = grant;
  return (
    <FactList
      facts={[
        { label: 'Connected', value: connectedAt === null ? '' : <InstantText at={connectedAt} /> },
        { label: 'Organisations', value: organisations.toLocaleString('en-GB') },
        { label: 'Linked to clients', value: linked.toLocaleString('en-GB') },
        ...(unread > 0
          ? [{ label: STATE_LABELS.reading, value: `VAT numbers of ${unread.toLocaleString('en-GB')}` }]
          : listedAt === null
            ? []
            : [{ label: 'Last checked', value: <InstantText at={listedAt} /> }]),
      ]}
    />
  );
}

function DisconnectDialog({ companyId, grant, onClose }: BooksProviderCardProps & { onClose: () => void }) {
  const { program } = grant;
  const name = BOOKS_PROVIDER_NAMES[program];
  const disconnect = usePracticeBooksChange(() => apiRequest(practiceBooksApi.disconnect, { company_id: companyId, program }));
  return (
    <ConfirmDialog
      heading={`Disconnect ${name}?`}
      mutation={disconnect}
      onConfirm={() => disconnect.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
      confirmLabel="Disconnect"
    >
      <Text>
        {grant.linked === 0
          ? 'We don’t read any clients’ books from it.'
          : `We’ll stop reading the books of ${grant.linked === 1 ? '1 client' : `${grant.linked.toLocaleString('en-GB')} clients`}, and the links between organisations and clients will be deleted. Their figures stay as they are now and are marked as out of date. Filed returns don’t change.`}
      </Text>
      <Text tone="quiet">
        {grant.ends_at_program
          ? `We’ll end our access to ${name} and delete our copy of the documents.`
          : `We’ll delete our access and our copy of the documents. ${name} will list this portal until you remove it there, under connected apps.`}
      </Text>
    </ConfirmDialog>
  );
}
