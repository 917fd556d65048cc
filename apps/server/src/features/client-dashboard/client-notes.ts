/** Client notes are append-only. The audit entry records that a note was written; the text is stored only in the note. */
import { randomUUID } from 'node:crypto';
import type { clientDashboardApi, ClientNote } from '@portal/contract/client-dashboard.ts';
import type { Db } from '@portal/db/database.ts';
import { clientNotes, users } from '@portal/db/schema/schema.ts';
import { and, desc, eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';

const MAX_NOTES = 200;
export const NOTE_ADDED_ACTION = 'client.note_added';

export function listNotes(db: Db, companyId: string, clientId: string, limit = MAX_NOTES): Promise<ClientNote[]> {
  return db
    .select({ note_id: clientNotes.id, text: clientNotes.text, author: users.fullName, written_at: clientNotes.writtenAt })
    .from(clientNotes)
    .innerJoin(users, eq(users.id, clientNotes.authorId))
    .where(and(eq(clientNotes.companyId, companyId), eq(clientNotes.clientId, clientId)))
    .orderBy(desc(clientNotes.writtenAt), desc(clientNotes.id))
    .limit(limit);
}

export async function addNote(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof clientDashboardApi.addNote>,
): Promise<ClientNote> {
  const { practiceId: companyId, clientId } = tenant;
  const { text } = input;
  const { db } = deps.database;
  const id = randomUUID();
  const at = deps.clock.now();
  return db.transaction(async (tx) => {
    await tx.insert(clientNotes).values({ companyId, clientId, id, authorId: actor.userId, text, writtenAt: at });
    await recordAudit(tx, {
      companyId,
      at,
      actor: actor.userId,
      action: NOTE_ADDED_ACTION,
      subject: clientId,
      after: { note_id: id },
      ip: caller.ip,
    });
    const [author] = await tx.select({ name: users.fullName }).from(users).where(eq(users.id, actor.userId));
    return { note_id: id, text, author: author?.name ?? '', written_at: at };
  });
}
