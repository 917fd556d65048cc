import type { TeamMember } from '@portal/contract/team.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { getPageLink } from '../../lib/page-link.ts';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { getKey, getPersonName, getRoleName, MEMBER_STATUS_CHIPS } from './member-status.ts';

type MembersTableProps = {
  companyId: string;
  people: readonly TeamMember[];
  /** Undefined for users with read-only access. */
  open: ((key: string) => void) | undefined;
};

export function MembersTable({ companyId, people, open }: MembersTableProps) {
  return (
    <RecordTable
      label="Team"
      rows={people}
      getKey={getKey}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        { title: 'Name', cell: (member) => <PersonName person={member} /> },
        { title: 'Role', cell: getRoleName },
        { title: 'Groups', cell: ({ groups }) => groups.join(', ') || null },
        { title: 'Clients', layout: 'numeric', cell: (member) => renderClients(companyId, member) },
        { title: 'Status', cell: ({ status }) => <StateChip {...MEMBER_STATUS_CHIPS[status]} /> },
        open && { title: 'Last activity', cell: (member) => <LastActivity person={member} /> },
        open && {
          title: 'Action',
          layout: 'action',
          cell: (member) => (
            <Button variant="outlined" size="small" onClick={() => open(getKey(member))}>
              Manage<HiddenText> {getPersonName(member)}</HiddenText>
            </Button>
          ),
        },
      ]}
    />
  );
}

function PersonName({ person }: { person: TeamMember }) {
  if (person.full_name === '') return <>{person.email}</>;
  return (
    <>
      {person.full_name}
      {person.is_you && ' (you)'}
      <Text size="small" tone="quiet">
        {person.email}
      </Text>
    </>
  );
}

/** Links the number of clients to the list of those clients. */
function renderClients(companyId: string, { status, user_id: userId, clients, full_name: name }: TeamMember) {
  if (status !== 'active' || userId === null) return null;
  if (clients === 0) return 0;
  return (
    <TextLink to={getPageLink('practiceClients', { company_id: companyId, member: userId })}>
      {clients.toLocaleString('en-GB')}
      <HiddenText> clients of {name}</HiddenText>
    </TextLink>
  );
}

const SINCE_LABELS = { invited: 'Invited', deactivated: 'Left', closed: 'Left' } as const;

function LastActivity({ person: { status, since, last_seen_at: seenAt } }: { person: TeamMember }) {
  if (status === 'active') return seenAt === null ? 'Not logged in' : <InstantText at={seenAt} />;
  return (
    <>
      {SINCE_LABELS[status]} <InstantText at={since} />
    </>
  );
}
