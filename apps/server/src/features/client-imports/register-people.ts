/** The people of a company at Companies House who may have to verify their identity, as rules and the client's page read them. */
import type { RegisterPerson } from '@portal/domain/agent/agent-facts.ts';
import { getIdentityState } from '@portal/domain/agent/identity-rules.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Controller, IdentityStatement, Officer } from '@portal/providers/companies-house/companies-house-port.ts';

/** Lists directors, members and controllers who are individuals. Secretaries needn't verify their identity, and companies can't. */
export function toRegisterPeople(officers: readonly Officer[], controllers: readonly Controller[]): RegisterPerson[] {
  const members = officers.flatMap(({ forenames, surname, role, identity }) =>
    forenames === undefined || surname === undefined || role.includes('secretary')
      ? []
      : [toPerson(`${forenames} ${surname}`, getRoleName(role), identity)],
  );
  const owners = controllers
    .filter(({ kind }) => kind.startsWith('individual-'))
    .map(({ name, identity }) => toPerson(name, 'person with significant control', identity));
  // The register's order isn't documented; a changed order would look like a change.
  return [...members, ...owners].toSorted((a, b) => compare(a.name, b.name) || compare(a.role, b.role));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** "llp-designated-member" becomes "LLP designated member". */
const getRoleName = (role: string): string => role.replaceAll('-', ' ').replace(/^llp\b/u, 'LLP');

function toPerson(name: string, role: string, identity: IdentityStatement | undefined): RegisterPerson {
  const { opensOn, dueOn, suppliedOn, removedOn } = identity ?? {};
  return { name, role, opens_on: opensOn ?? null, due_on: dueOn ?? null, supplied_on: suppliedOn ?? null, removed_on: removedOn ?? null };
}

/** Returns the earliest deadline for one of them to supply a statement, or null if no one has to. */
export function findFirstDue(people: readonly RegisterPerson[], today: PlainDate): PlainDate | null {
  const dates = people.flatMap((person) => (getIdentityState(person, today) === 'due' && person.due_on !== null ? [person.due_on] : []));
  return dates.toSorted()[0] ?? null;
}
