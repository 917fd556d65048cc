/**
 * Screens a company, its officers, those who control it and its verified owners against sanctions and PEP lists. The results must stay in
 * this folder: disclosing them to the customer, or to a colleague who might pass them on, can be an offence (Proceeds of Crime Act 2002
 * s333A).
 */
import { randomUUID } from 'node:crypto';
import { advances, screenings, suspicions, type ScreenedSubject } from '@portal/db/schema/schema.ts';
import type { ScreeningHit } from '@portal/providers/screening/screening-port.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueProgress } from '../advances/enqueue-progress.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { refreshRegisterFacts } from '../company-look-up/refresh-register-facts.ts';
import { listSubjects } from './list-subjects.ts';

/** Throws the provider's error, so that the job runs again. Nothing is paid before it succeeds. */
export async function screenCompany(deps: AppDeps, companyId: string): Promise<void> {
  if (!deps.screening) return;
  await refreshRegisterFacts(deps, companyId);
  const subjects = await listSubjects(deps.database.db, companyId);
  if (subjects.length === 0) return;
  const screenedAt = deps.clock.now();
  const hits = await deps.screening.screen(subjects);
  await deps.database.db.transaction(async (tx) => {
    const screeningId = randomUUID();
    const screenedSubjects = subjects.map(({ kind, name }, index): ScreenedSubject => ({ kind, name, hits: hits[index]?.length ?? 0 }));
    await tx.insert(screenings).values({ companyId, id: screeningId, screenedAt, subjects: screenedSubjects });
    const storedSuspicions = await tx.select().from(suspicions).where(eq(suspicions.companyId, companyId));
    for (const [index, { kind, name }] of subjects.entries()) {
      for (const hit of hits[index] ?? []) {
        const sameEntry = storedSuspicions.filter(
          (row) => row.subjectKind === kind && row.subjectName === name && row.listedId === hit.listedId,
        );
        if (sameEntry.some((row) => isKnown(hit, row))) continue;
        await tx
          .insert(suspicions)
          .values({
            companyId,
            id: randomUUID(),
            screeningId,
            subjectKind: kind,
            subjectName: name,
            entryVersion: sameEntry.length + 1,
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

/**
 * A decision answers what the list said then. A politically exposed person who is sanctioned later, or someone sanctioned by one more
 * authority, is a new question. Lists often name further sources of an entry without sanctions, which isn't.
 */
function isKnown({ topics, datasets }: ScreeningHit, stored: Pick<ScreeningHit, 'topics' | 'datasets'>): boolean {
  const isSanctioned = topics.some((topic) => topic === 'sanction' || topic.startsWith('sanction.'));
  const areSourcesKnown = !isSanctioned || datasets.every((dataset) => stored.datasets.includes(dataset));
  return areSourcesKnown && topics.every((topic) => stored.topics.includes(topic));
}

const toColumns = ({ listedId, caption, topics, datasets, score }: ScreeningHit) => ({
  listedId,
  caption,
  topics: [...topics],
  datasets: [...datasets],
  score,
});
