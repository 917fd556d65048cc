/** Who is screened for a company. */
import type { Db, Tx } from '@portal/db/database.ts';
import { companies } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { ScreeningSubject } from '@portal/providers/screening/screening-port.ts';
import { listOwnerChecks } from '../identity-check/identity-checks.ts';

/** Lists the company, under each of its names, and its people. Each name appears only once. */
export async function listSubjects(db: Db | Tx, companyId: string): Promise<ScreeningSubject[]> {
  const [company] = await db.select().from(companies).where(eq(companies.id, companyId));
  if (!company) return [];
  const { register, companyNumber, vrnRegisteredName } = company;
  const owners = await listOwnerChecks(db, companyId);
  const number = companyNumber === null ? {} : { registrationNumber: companyNumber };
  const allSubjects: ScreeningSubject[] = [
    ...[register?.name ?? company.name, vrnRegisteredName, ...(register?.previous_names ?? [])].flatMap((name) =>
      name === null ? [] : [{ kind: 'company', name, ...number } as const],
    ),
    ...(register?.people?.officers ?? []).map(toOfficerSubject),
    ...(register?.people?.controllers ?? []).map(
      ({ name, kind }) => ({ kind: kind.startsWith('individual') ? 'person' : 'company', name }) as const,
    ),
    ...owners.filter(({ status }) => status === 'passed').map(({ fullName }) => ({ kind: 'person', name: fullName }) as const),
  ];
  const subjectByName = new Map(allSubjects.map((subject) => [toSubjectKey(subject), subject]));
  return [...subjectByName.values()];
}

/** Identifies a subject, whatever the case of its name. */
export const toSubjectKey = ({ kind, name }: Pick<ScreeningSubject, 'kind' | 'name'>): string => `${kind} ${name.toUpperCase()}`;

/** Companies House formats a person's name as "BRIGHT, Tessa". A corporate officer's name has no comma. */
function toOfficerSubject(name: string): ScreeningSubject {
  const [surname = '', forenames] = name.split(', ', 2);
  return forenames === undefined ? { kind: 'company', name } : { kind: 'person', name: `${forenames} ${surname}` };
}
