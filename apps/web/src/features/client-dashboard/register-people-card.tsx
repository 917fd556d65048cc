/**
 * A company's officers and owners at Companies House, and whether their identity is verified for each role. Shown once they have been read.
 */
import { clientDashboardApi, type RegisterPerson } from '@portal/contract/client-dashboard.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { toPersonName } from '@portal/domain/uk-tax/references/person-name.ts';
import { useQuery } from '@tanstack/react-query';
import { DateText } from '../../components/formats/date-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';
import { renderSecondLine } from './figure-cells.tsx';
import { SmallTable, type SmallColumn } from './small-table.tsx';

export function RegisterPeopleCard({ ids, today }: { ids: ClientIds; today: PlainDate }) {
  const { data } = useQuery(apiQuery(clientDashboardApi.registerPeople, toClientInput(ids)));
  if (!data?.people || data.people.length === 0 || data.read_on === null) return null;
  const columns: readonly SmallColumn<RegisterPerson>[] = [
    { title: 'Name', cell: ({ name }) => toPersonName(name) },
    { title: 'Role', cell: ({ role }) => role.charAt(0).toUpperCase() + role.slice(1) },
    { title: 'Identity', cell: (person) => <IdentityCell person={person} today={today} /> },
  ];
  return (
    <SectionCard
      title="Identity verification"
      source={
        <>
          Companies House, as of <DateText date={data.read_on} />. “Not shown” means that the register has neither a statement nor a date.
        </>
      }
    >
      <SmallTable label="People at Companies House" columns={columns} rows={data.people} getKey={({ name, role }) => `${name} ${role}`} />
    </SectionCard>
  );
}

function IdentityCell({ person, today }: { person: RegisterPerson; today: PlainDate }) {
  const { identity, due_on: due, supplied_on: suppliedOn, opens_on: opens } = person;
  if (identity === 'verified' && suppliedOn !== null) {
    return (
      <>
        Verified
        {renderSecondLine(
          <>
            Statement of <DateText date={suppliedOn} style="short" />
          </>,
        )}
      </>
    );
  }
  if (identity === 'unknown' || due === null) return 'Not shown';
  const isLate = due < today;
  return (
    <>
      <Text as="span" {...(isLate ? { tone: 'warning', weight: 'bold' } : {})}>
        {isLate ? 'Was due on ' : 'Due on '}
        <DateText date={due} style="short" />
      </Text>
      {opens !== null &&
        opens > today &&
        renderSecondLine(
          <>
            From <DateText date={opens} style="short" />
          </>,
        )}
    </>
  );
}
