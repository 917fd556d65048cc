/** Our own staff: who may use these pages, their roles, and what each role may do. Every change needs two administrators. */
import { operatorPeopleApi } from '@portal/contract/operator-people.ts';
import { OPERATOR_ROLE_NAMES } from '@portal/domain/identity/operator-roles.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { useSession } from '../../core/session.tsx';
import { apiQuery } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { ApprovalsCard } from './approvals-card.tsx';
import { InviteOperatorDialog } from './invite-operator-dialog.tsx';
import { OperatorDialog } from './operator-dialog.tsx';
import type { OperatorPerson } from './operator-outputs.ts';
import { OperatorRightsCard } from './operator-rights-card.tsx';
import { OwnAccountsCard } from './own-accounts-card.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';

const STATUS_CHIPS = {
  active: { label: 'Active', icon: 'check', tone: 'success' },
  invited: { label: 'Invited', icon: 'clock', tone: 'warning' },
  disabled: { label: 'Disabled', icon: 'close', tone: 'secondary' },
} as const;

export function OperatorPeopleScreen() {
  const query = useQuery(apiQuery(operatorPeopleApi.list, {}));
  const { session } = useSession();
  const signedInPerson = session.status === 'signed_in' ? session.person : undefined;
  const isAdministrator = signedInPerson?.operator_roles?.includes('administrator') ?? false;
  const [openedUserId, setOpened] = useState<string>();
  const [isInviting, setIsInviting] = useState(false);
  return (
    <Page title="People" maxWidth="full" actions={isAdministrator && <Button onClick={() => setIsInviting(true)}>Invite operator</Button>}>
      <LoadState query={query}>
        {({ people }) => (
          <Stack gap={24}>
            {isAdministrator && countAdministrators(people) < 2 && <OnlyAdministratorNotice />}
            <ApprovalsCard />
            <SectionCard title="Operators" source={isAdministrator ? undefined : 'Changes need two administrators.'}>
              <PeopleTable people={people} ownId={signedInPerson?.user_id} open={isAdministrator ? setOpened : undefined} />
            </SectionCard>
            <OwnAccountsCard />
            <OperatorRightsCard ownRoles={signedInPerson?.operator_roles ?? []} />
            <OperatorDialog person={people.find(({ user_id }) => user_id === openedUserId)} onClose={() => setOpened(undefined)} />
          </Stack>
        )}
      </LoadState>
      {isInviting && <InviteOperatorDialog onClose={() => setIsInviting(false)} />}
    </Page>
  );
}

function countAdministrators(people: readonly OperatorPerson[]): number {
  return people.filter(({ status, roles }) => status === 'active' && roles.includes('administrator')).length;
}

function OnlyAdministratorNotice() {
  return (
    <Notice tone="warning" title="You’re the only active administrator">
      Inviting operators, changing roles and creating new enrolment links need a second administrator’s approval. Add one on the server:
      stop the portal if its database is embedded, then run <code>npm run operator -- add EMAIL --role administrator</code> and give them
      the link.
    </Notice>
  );
}

type PeopleTableProps = {
  people: readonly OperatorPerson[];
  ownId: string | undefined;
  /** Undefined for users with read-only access. */
  open: ((userId: string) => void) | undefined;
};

function PeopleTable({ people, ownId, open }: PeopleTableProps) {
  return (
    <RecordTable
      label="Operators"
      rows={people}
      getKey={(person) => person.user_id}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        { title: 'Name', cell: (person) => <PersonName person={person} ownId={ownId} /> },
        { title: 'Roles', cell: ({ roles }) => roles.map((role) => OPERATOR_ROLE_NAMES[role]).join(', ') },
        { title: 'Status', cell: (person) => <Status person={person} /> },
        { title: 'Invited', cell: (person) => <Invited person={person} /> },
        { title: 'Last seen', cell: ({ last_seen_at: at }) => (at === null ? 'Not logged in' : <InstantText at={at} />) },
        open && {
          title: 'Action',
          layout: 'action',
          cell: ({ user_id: userId, full_name: name }) =>
            userId === ownId ? null : (
              <Button variant="outlined" size="small" onClick={() => open(userId)}>
                Change<HiddenText> access for {name}</HiddenText>
              </Button>
            ),
        },
      ]}
    />
  );
}

function PersonName({ person, ownId }: { person: OperatorPerson; ownId: string | undefined }) {
  return (
    <>
      {person.full_name}
      {person.user_id === ownId && ' (you)'}
      <Text size="small" tone="quiet">
        {person.email}
      </Text>
    </>
  );
}

function Status({ person }: { person: OperatorPerson }) {
  return (
    <>
      <StateChip {...STATUS_CHIPS[person.status]} />
      {person.decides_from !== null && person.status !== 'disabled' && (
        <Text size="small" tone="quiet">
          Decides about money from {formatDate(person.decides_from)}
        </Text>
      )}
    </>
  );
}

function Invited({ person }: { person: OperatorPerson }) {
  return (
    <>
      <InstantText at={person.invited_at} />
      <Text size="small" tone="quiet">
        {person.invited_by === null ? 'on the server' : `by ${person.invited_by}`}
      </Text>
    </>
  );
}
