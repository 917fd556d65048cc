/**
 * Screens a company, its officers, those who control it and its verified owners against sanctions and PEP lists. The results must stay in
 * this folder: disclosing them to the customer, or to a colleague who might pass them on, can be an offence (Proceeds of Crime Act 2002
 * s333A).
 */
import { randomUUID } from 'node:crypto';
import { advances, companies, screenings, suspicions, type ScreenedSubject } from '@portal/db/schema/schema.ts';
import type { ScreeningHit, ScreeningSubject } from '@portal/providers/screening/screening-port.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueProgress } from '../advances/enqueue-progress.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { refreshRegisterFacts } from '../company-look-up/refresh-register-facts.ts';
import { listOwnerChecks } from '../identity-check/identity-checks.ts';

/** Throws the provider's error, so that the job runs again. Nothing is paid before it succeeds. */
export async function screenCompany(deps: AppDeps, companyId: string): Promise<void> {
  if (!deps.screening) return;
  await refreshRegisterFacts(deps, companyId);
  const subjects = await listSubjects(deps, companyId);
  if (subjects.length === 0) return;
  const screenedAt = deps.clock.now();
  const hits = await deps.screening.screen(subjects);
  await deps.database.db.transaction(async (tx) => {
    const screeningId = randomUUID();
    const screenedSubjects = subjects.map(({ kind, name }, index): ScreenedSubject => ({ kind, name, hits: hits[index]?.length ?? 0 }));
    await tx.insert(screenings).values({ companyId, id: screeningId, screenedAt, subjects: screenedSubjects });
    for (const [index, { kind, name }] of subjects.entries()) {
      for (const hit of hits[index] ?? []) {
        await tx
          .insert(suspicions)
          .values({
            companyId,
            id: randomUUID(),
            screeningId,
            subjectKind: kind,
            subjectName: name,
            foundAt: screenedAt,
            ...toColumns(hit),
          })
          .onConflictDoNothing();
      }
    }
    // The entry doesn't depend on the result, because every operator can read the audit trail.
    await recordAudit(tx, { companyId, at: screenedAt, actor: 'rules', action: 'company.screened', subject: screeningId });
    const approvedAdvances = await tx
      .select({ id: advances.id })
      .from(advances)
      .where(and(eq(advances.companyId, companyId), eq(advances.state, 'approved')));
    for (const { id } of approvedAdvances) await enqueueProgress(deps, tx, companyId, id);
  });
}

const toColumns = ({ listedId, caption, topics, datasets, score }: ScreeningHit) => ({
  listedId,
  caption,
  topics: [...topics],
  datasets: [...datasets],
  score,
});

/** Lists the company, under each of its names, and its people. Each name appears only once. */
async function listSubjects(deps: AppDeps, companyId: string): Promise<ScreeningSubject[]> {
  const { db } = deps.database;
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
  const subjectByName = new Map(allSubjects.map((subject) => [`${subject.kind} ${subject.name.toUpperCase()}`, subject]));
  return [...subjectByName.values()];
}

/** Companies House formats a person's name as "BRIGHT, Tessa". A corporate officer's name has no comma. */
function toOfficerSubject(name: string): ScreeningSubject {
  const [surname = '', forenames] = name.split(', ', 2);
  return forenames === undefined ? { kind: 'company', name } : { kind: 'person', name: `${forenames} ${surname}` };
}
