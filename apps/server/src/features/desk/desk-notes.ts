/**
 * Operators' notes on an advance or a company. They share a table with the notes on reconciliation exceptions, so that both screens show
 * all of them.
 */
import type { deskApi } from '@portal/contract/desk.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { advances, bankCredits, companies, reconciliationNotes, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tx } from '@portal/db/database.ts';

export async function listNotes(
  { database: { db } }: AppDeps,
  companyId: string,
  subjectId: string,
): Promise<EndpointOutput<typeof deskApi.notes>> {
  const notes = await db
    .select({ note_id: reconciliationNotes.id, text: reconciliationNotes.text, by: users.fullName, at: reconciliationNotes.at })
    .from(reconciliationNotes)
    .innerJoin(users, eq(users.id, reconciliationNotes.by))
    .where(and(eq(reconciliationNotes.companyId, companyId), eq(reconciliationNotes.subjectId, subjectId)))
    .orderBy(asc(reconciliationNotes.at), asc(reconciliationNotes.id));
  return { notes };
}

export async function addNote(deps: AppDeps, { input, actor, caller }: Call<typeof deskApi.addNote>): Promise<{ done: true }> {
  const { company_id: companyId, subject_id: subjectId, note_id: id, text } = input;
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    if (!(await isCompanySubject(tx, companyId, subjectId))) throw createNotFoundError();
    const insertedNotes = await tx
      .insert(reconciliationNotes)
      .values({ companyId, id, subjectId, text, by: actor.userId, at })
      .onConflictDoNothing()
      .returning({ id: reconciliationNotes.id });
    if (insertedNotes.length === 0) return;
    await recordAudit(tx, {
      companyId,
      at,
      actor: actor.userId,
      action: 'note.added',
      subject: subjectId,
      after: { note_id: id },
      ip: caller.ip,
    });
  });
  return { done: true };
}

/** Returns whether the subject is the company itself, or one of its advances or credits. */
async function isCompanySubject(tx: Tx, companyId: string, subjectId: string): Promise<boolean> {
  const matches = await Promise.all([
    companyId === subjectId ? tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)) : [],
    tx
      .select({ id: advances.id })
      .from(advances)
      .where(and(eq(advances.companyId, companyId), eq(advances.id, subjectId))),
    tx
      .select({ id: bankCredits.id })
      .from(bankCredits)
      .where(and(eq(bankCredits.companyId, companyId), eq(bankCredits.id, subjectId))),
  ]);
  return matches.some((rows) => rows.length > 0);
}
