import type { TeamMember } from '@portal/contract/team.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { pageLink } from '../../lib/page-link.ts';
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
  /** Undefined for people who may only read. */
  open: ((key: string) => void) | undefined;
};

export function MembersTable({ companyId, people, open }: MembersTableProps) {
  const areCards = useMediaQuery(TOO_NARROW_FOR_ACTIONS);
  const getAction = (person: TeamMember) =>
    open && (
      <Button variant={areCards ? 'outlined' : 'text'} size="small" onClick={() => open(getKey(person))}>
        Manage<HiddenText> {getPersonName(person)}</HiddenText>
      </Button>
    );
  if (areCards) {
    return (
      <RecordCards
        label="Team"
        cards={people.map((person) => ({
          key: getKey(person),
          title: <PersonName person={person} />,
          facts: [
            { label: 'Role', value: getRoleName(person) },
            ...(person.groups.length === 0 ? [] : [{ label: 'Groups', value: person.groups.join(', ') }]),
            { label: 'Status', value: <StateChip {...MEMBER_STATUS_CHIPS[person.status]} /> },
            ...(person.status === 'active' ? [{ label: 'Clients', value: <Clients companyId={companyId} person={person} /> }] : []),
            ...(open ? [{ label: getSinceLabel(person), value: <Since person={person} /> }] : []),
          ],
          action: getAction(person),
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
        {people.map((person) => (
          <tr key={getKey(person)}>
            <th scope="row">
              <PersonName person={person} />
            </th>
            <td>{getRoleName(person)}</td>
            <td>{person.groups.join(', ') || '–'}</td>
            <td data-numeric>
              <Clients companyId={companyId} person={person} />
            </td>
            <td>
              <StateChip {...MEMBER_STATUS_CHIPS[person.status]} />
            </td>
            {open && (
              <>
                <td>
                  {person.status !== 'active' && `${getSinceLabel(person)} `}
                  <Since person={person} />
                </td>
                <td>{getAction(person)}</td>
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

/** Leads to these clients in the list. */
function Clients({ companyId, person }: { companyId: string; person: TeamMember }) {
  if (person.status !== 'active' || person.user_id === null) return <>–</>;
  if (person.clients === 0) return <>0</>;
  return (
    <TextLink to={pageLink('practiceClients', { company_id: companyId, member: person.user_id })}>
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
