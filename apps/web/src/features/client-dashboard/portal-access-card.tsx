/** Lists who at the client has access to the client portal, and who has been invited. */
import { clientInvitationsApi, type ClientInvitation, type ClientPerson } from '@portal/contract/client-invitations.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { DateText, InstantText } from '../../components/formats/date-text.tsx';
import { toLondonDate } from '@portal/domain/clock.ts';
import { apiQuery } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { toClientInput, type ClientIds, type ClientProfile } from './client-page.ts';
import { INVITATION_CHIPS } from '../../components/invitations/invitation-chips.ts';
import { SmallTable, UNKNOWN_VALUE, type SmallColumn } from './small-table.tsx';

const loadDialogs = () => import('./portal-access-dialogs.tsx');
const InviteDialog = lazy(() => loadDialogs().then((file) => ({ default: file.InviteDialog })));
const InvitationDialog = lazy(() => loadDialogs().then((file) => ({ default: file.InvitationDialog })));
const RemovePersonDialog = lazy(() => loadDialogs().then((file) => ({ default: file.RemovePersonDialog })));

type OpenDialog = { kind: 'invite' } | { kind: 'invitation'; invitation: ClientInvitation } | { kind: 'remove'; person: ClientPerson };

export function PortalAccessCard({ ids, client }: { ids: ClientIds; client: ClientProfile }) {
  const query = useQuery(apiQuery(clientInvitationsApi.read, toClientInput(ids)));
  const [open, setOpen] = useState<OpenDialog>();
  const close = () => setOpen(undefined);
  const mayInvite = query.data?.may_invite === true;
  return (
    <SectionCard
      title="Client portal"
      aside={
        mayInvite && (
          <Button size="small" variant="outlined" onClick={() => setOpen({ kind: 'invite' })}>
            Invite
          </Button>
        )
      }
      source={`People with access see ${client.full_name}’s taxes: what’s due, when, how much and how to pay. They don’t see your notes, tags or other clients.`}
    >
      <LoadState query={query} skeleton={<TableSkeleton rows={2} />}>
        {({ people, invitations }) => {
          const openInvitations = invitations.filter(({ state }) => state !== 'accepted');
          return people.length === 0 && openInvitations.length === 0 ? (
            <Text tone="quiet">
              {mayInvite
                ? 'No one has access yet. Invite the people who should see the taxes.'
                : 'No one has access yet. An admin can invite people.'}
            </Text>
          ) : (
            <Stack gap={24}>
              {people.length > 0 && (
                <People people={people} mayInvite={mayInvite} onRemove={(person) => setOpen({ kind: 'remove', person })} />
              )}
              {openInvitations.length > 0 && (
                <Invitations
                  invitations={openInvitations}
                  mayInvite={mayInvite}
                  onOpen={(invitation) => setOpen({ kind: 'invitation', invitation })}
                />
              )}
            </Stack>
          );
        }}
      </LoadState>
      <Suspense fallback={null}>
        {open?.kind === 'invite' && <InviteDialog ids={ids} client={client} suggestions={query.data?.suggestions ?? []} onClose={close} />}
        {open?.kind === 'invitation' && <InvitationDialog ids={ids} invitation={open.invitation} onClose={close} />}
        {open?.kind === 'remove' && <RemovePersonDialog ids={ids} client={client} person={open.person} onClose={close} />}
      </Suspense>
    </SectionCard>
  );
}

type PeopleProps = { people: readonly ClientPerson[]; mayInvite: boolean; onRemove: (person: ClientPerson) => void };

function People({ people, mayInvite, onRemove }: PeopleProps) {
  const columns: readonly SmallColumn<ClientPerson>[] = [
    { title: 'Has access', cell: ({ full_name: name }) => name },
    { title: 'Email', wraps: true, cell: ({ email }) => email },
    { title: 'Since', cell: ({ joined_at: at }) => <DateText date={toLondonDate(at)} style="short" /> },
    ...(mayInvite
      ? [
          {
            title: 'Action',
            cell: (person: ClientPerson) => (
              <Button size="small" variant="text" fit="flush" onClick={() => onRemove(person)}>
                End access <HiddenText>of {person.full_name}</HiddenText>
              </Button>
            ),
          },
        ]
      : []),
  ];
  return <SmallTable label="People with access" columns={columns} rows={people} getKey={({ user_id: id }) => id} />;
}

type InvitationsProps = {
  invitations: readonly ClientInvitation[];
  mayInvite: boolean;
  onOpen: (invitation: ClientInvitation) => void;
};

function Invitations({ invitations, mayInvite, onOpen }: InvitationsProps) {
  const columns: readonly SmallColumn<ClientInvitation>[] = [
    { title: 'Invited', wraps: true, cell: ({ email }) => email },
    { title: 'Status', cell: ({ state }) => <StateChip {...INVITATION_CHIPS[state]} /> },
    { title: 'Sent', cell: ({ sent_at: at }) => (at === null ? UNKNOWN_VALUE : <InstantText at={at} />) },
    ...(mayInvite
      ? [
          {
            title: 'Action',
            cell: (invitation: ClientInvitation) =>
              invitation.state === 'revoked' ? (
                UNKNOWN_VALUE
              ) : (
                <Button size="small" variant="text" fit="flush" onClick={() => onOpen(invitation)}>
                  Manage <HiddenText>the invitation of {invitation.email}</HiddenText>
                </Button>
              ),
          },
        ]
      : []),
  ];
  return <SmallTable label="Invitations" columns={columns} rows={invitations} getKey={({ invitation_id: id }) => id} />;
}
