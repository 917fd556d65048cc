/**
 * The practice's own mailbox: connects Gmail or Outlook, shows the email address that clients receive messages from, and disconnects it.
 */
import { mailboxApi, type MailboxOutcome, type MailboxState } from '@portal/contract/mailbox.ts';
import { messagesApi } from '@portal/contract/messages.ts';
import type { MailboxProvider } from '@portal/domain/messages/sending-limits.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Notice, type NoticeTone } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { LineSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

type MailboxCardProps = { companyId: string; mayConnect: boolean };

const PROVIDER_NAMES: Readonly<Record<MailboxProvider, string>> = { gmail: 'Gmail', outlook: 'Outlook' };
/** Where users review and withdraw their permissions. */
const PERMISSION_PAGES: Readonly<Record<MailboxProvider, string>> = {
  gmail: 'https://myaccount.google.com/connections',
  outlook: 'https://myaccount.microsoft.com/',
};

export function MailboxCard({ companyId, mayConnect }: MailboxCardProps) {
  const gmail = useQuery(apiQuery(mailboxApi.gmailStatus, { company_id: companyId }));
  const outlook = useQuery(apiQuery(mailboxApi.outlookStatus, { company_id: companyId }));
  return (
    <SectionCard title="Mailbox">
      <LoadState query={gmail} skeleton={<LineSkeleton width="80%" height={20} />}>
        {(gmailState) => (
          <LoadState query={outlook} skeleton={<LineSkeleton width="80%" height={20} />}>
            {(outlookState) => (
              <Mailbox companyId={companyId} mayConnect={mayConnect} states={{ gmail: gmailState, outlook: outlookState }} />
            )}
          </LoadState>
        )}
      </LoadState>
    </SectionCard>
  );
}

type MailboxProps = MailboxCardProps & { states: Readonly<Record<MailboxProvider, MailboxState>> };

function Mailbox({ companyId, mayConnect, states }: MailboxProps) {
  const outcome = useSearchParams()[0].get('outcome');
  const [isDisconnecting, setIsDisconnecting] = useState(false);
  const connect = useMutation({
    mutationFn: (provider: MailboxProvider) => apiRequest(mailboxApi.connect, { company_id: companyId, provider }),
    onSuccess: ({ authorize_url: url }) => location.assign(url),
  });
  const provider = PROVIDERS.find((item) => states[item].status !== 'not_connected');
  const current = provider && states[provider];
  const isLeaving = connect.isPending || connect.isSuccess;
  const otherProviders = PROVIDERS.filter((item) => item !== provider && states[item].is_available);
  return (
    <Stack gap={16}>
      <OutcomeNotice outcome={outcome} isConnected={current?.connected ?? false} />
      {provider && current ? <Connected provider={provider} state={current} /> : <NotConnected />}
      {connect.error !== null && (
        <Notice tone="error" title="The mailbox wasn’t connected" role="alert">
          {getErrorText(connect.error)}
        </Notice>
      )}
      {mayConnect ? (
        <ButtonRow>
          {provider && (
            <Button
              variant={current?.status === 'lost' ? 'filled' : 'outlined'}
              disabled={isLeaving}
              onClick={() => connect.mutate(provider)}
            >
              Connect {PROVIDER_NAMES[provider]} again
            </Button>
          )}
          {otherProviders.map((other) => (
            <Button key={other} variant="outlined" disabled={isLeaving} onClick={() => connect.mutate(other)}>
              {provider ? `Use ${PROVIDER_NAMES[other]} instead` : `Connect ${PROVIDER_NAMES[other]}`}
            </Button>
          ))}
          {provider && (
            <Button variant="text" onClick={() => setIsDisconnecting(true)}>
              Disconnect
            </Button>
          )}
        </ButtonRow>
      ) : (
        <Text tone="quiet">To change this, you need the “Manage connections” permission. Ask an admin of your practice.</Text>
      )}
      {mayConnect && !provider && otherProviders.length === 0 && (
        <Text tone="quiet">Neither Gmail nor Outlook is set up on this portal.</Text>
      )}
      {isDisconnecting && provider && current && (
        <DisconnectDialog
          companyId={companyId}
          provider={provider}
          address={current.address ?? ''}
          onClose={() => setIsDisconnecting(false)}
        />
      )}
    </Stack>
  );
}

const PROVIDERS: readonly MailboxProvider[] = ['gmail', 'outlook'];

function Connected({ provider, state }: { provider: MailboxProvider; state: MailboxState }) {
  if (state.status === 'lost') {
    return (
      <Notice tone="error" title={`We can’t send from ${state.address ?? 'your mailbox'} any more`}>
        {state.lost_reason === 'owner_left'
          ? 'It’s the mailbox of someone who left your practice on'
          : `${PROVIDER_NAMES[provider]} no longer accepts the permission since`}{' '}
        {state.lost_at !== null && <InstantText at={state.lost_at} />}. Emails to clients are on hold until you connect a mailbox again or
        disconnect this one. Invitations still leave from our address.
      </Notice>
    );
  }
  return (
    <Notice tone="success" title={`Emails to clients are sent from ${state.address ?? 'your mailbox'}`} role="status">
      {PROVIDER_NAMES[provider]}
      {state.connected_at !== null && (
        <>
          , connected on <InstantText at={state.connected_at} />
        </>
      )}
      . Copies are saved in its sent items, and replies arrive there. We can send from it, but we can’t read anything in it. Invitations and
      emails about access still leave from our address, because their links let people log in.
    </Notice>
  );
}

function NotConnected() {
  return (
    <Stack gap={8}>
      <Text measure>
        Emails to clients are sent from our address, with your practice’s name. Replies go to the person who wrote or caused them.
      </Text>
      <Text measure tone="quiet">
        Connect your practice’s Gmail or Outlook to send from the address your clients know. We can only send email, not read it. For a
        Microsoft work account, your administrator may need to approve this.
      </Text>
    </Stack>
  );
}

const OUTCOMES: Readonly<
  Record<Exclude<MailboxOutcome, 'mailbox_connected'>, { readonly tone: NoticeTone; readonly title: string; readonly text: ReactNode }>
> = {
  mailbox_declined: {
    tone: 'info',
    title: 'You didn’t give permission',
    text: 'Nothing has changed. You can connect a mailbox at any time.',
  },
  mailbox_no_scope: {
    tone: 'warning',
    title: 'We weren’t allowed to send',
    text: 'Permission to send email was left out, so nothing was connected. Connect again, and leave that box ticked.',
  },
  mailbox_not_allowed: {
    tone: 'warning',
    title: 'The mailbox wasn’t connected',
    text: 'You no longer have the “Manage connections” permission. Ask an admin of your practice.',
  },
  mailbox_failed: {
    tone: 'error',
    title: 'The mailbox wasn’t connected',
    text: 'The provider couldn’t complete the connection. Try again in a few minutes.',
  },
};

function OutcomeNotice({ outcome, isConnected }: { outcome: string | null; isConnected: boolean }) {
  const message = outcome !== null && Object.hasOwn(OUTCOMES, outcome) ? OUTCOMES[outcome as keyof typeof OUTCOMES] : undefined;
  // Once connected, the card itself shows this, even if the URL still has an older outcome.
  if (message === undefined || isConnected) return null;
  return (
    <Notice tone={message.tone} title={message.title} role="status">
      {message.text}
    </Notice>
  );
}

type DisconnectDialogProps = { companyId: string; provider: MailboxProvider; address: string; onClose: () => void };

function DisconnectDialog({ companyId, provider, address, onClose }: DisconnectDialogProps) {
  const queryClient = useQueryClient();
  const disconnect = useMutation({
    mutationFn: () => apiRequest(mailboxApi.disconnect, { company_id: companyId }),
    onSuccess: async () => {
      const paths = [mailboxApi.gmailStatus, mailboxApi.outlookStatus, messagesApi.list].map(({ path }) => path);
      await Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      heading={`Disconnect ${address}?`}
      mutation={disconnect}
      onConfirm={() => disconnect.mutate()}
      onClose={onClose}
      confirmLabel="Disconnect"
    >
      <Text>
        Emails to clients will then be sent from our address; those on hold will be sent immediately. Replies go to the person who wrote or
        caused them.
      </Text>
      <Text tone="quiet">
        We’ll delete our access. {PROVIDER_NAMES[provider]} will list this portal until you remove it on{' '}
        <TextLink href={PERMISSION_PAGES[provider]}>its connected apps page</TextLink>.
      </Text>
    </ConfirmDialog>
  );
}
