import type { TeamMember } from '@portal/contract/team.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { getPageLink } from '../../lib/page-link.ts';
import { TOO_NARROW_FOR_ACTIONS, useMediaQuery } from '../../lib/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { RecordCards } from '../../ui/record-cards.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Table } from '../../ui/table.tsx';
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
  const showsCards = useMediaQuery(TOO_NARROW_FOR_ACTIONS);
  const getAction = (member: TeamMember) =>
    open && (
      <Button variant={showsCards ? 'outlined' : 'text'} size="small" onClick={() => open(getKey(member))}>
        Manage<HiddenText> {getPersonName(member)}</HiddenText>
      </Button>
    );
  if (showsCards) {
    return (
      <RecordCards
        label="Team"
        cards={people.map((member) => ({
          key: getKey(member),
          title: <PersonName person={member} />,
          facts: [
            { label: 'Role', value: getRoleName(member) },
            ...(member.groups.length === 0 ? [] : [{ label: 'Groups', value: member.groups.join(', ') }]),
            { label: 'Status', value: <StateChip {...MEMBER_STATUS_CHIPS[member.status]} /> },
            ...(member.status === 'active' ? [{ label: 'Clients', value: <MemberClients companyId={companyId} person={member} /> }] : []),
            ...(open ? [{ label: getSinceLabel(member), value: <Since person={member} /> }] : []),
          ],
          action: getAction(member),
        }))}
      />
    );
  }
  return (
    <Table label="Team" flush dense>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Role</th>
          <th scope="col">Groups</th>
          <th scope="col" data-numeric>
            Clients
          </th>
          <th scope="col">Status</th>
          {open && (
            <>
              <th scope="col">Last activity</th>
              <th scope="col">
                <HiddenText>Manage</HiddenText>
              </th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {people.map((member) => (
          <tr key={getKey(member)}>
            <th scope="row">
              <PersonName person={member} />
            </th>
            <td>{getRoleName(member)}</td>
            <td>{member.groups.join(', ') || '–'}</td>
            <td data-numeric>
              <MemberClients companyId={companyId} person={member} />
            </td>
            <td>
              <StateChip {...MEMBER_STATUS_CHIPS[member.status]} />
            </td>
            {open && (
              <>
                <td>
                  {member.status !== 'active' && `${getSinceLabel(member)} `}
                  <Since person={member} />
                </td>
                <td>{getAction(member)}</td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </Table>
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
function MemberClients({ companyId, person }: { companyId: string; person: TeamMember }) {
  if (person.status !== 'active' || person.user_id === null) return <>–</>;
  if (person.clients === 0) return <>0</>;
  return (
    <TextLink to={getPageLink('practiceClients', { company_id: companyId, member: person.user_id })}>
      {person.clients.toLocaleString('en-GB')}
      <HiddenText> clients of {person.full_name}</HiddenText>
    </TextLink>
  );
}

const SINCE_LABELS = { active: 'Last seen', invited: 'Invited', deactivated: 'Left', closed: 'Left' } as const;

const getSinceLabel = ({ status }: TeamMember): string => SINCE_LABELS[status];

function Since({ person }: { person: TeamMember }) {
  if (person.status !== 'active') return <InstantText at={person.since} />;
  return person.last_seen_at === null ? <>Not logged in</> : <InstantText at={person.last_seen_at} />;
}
