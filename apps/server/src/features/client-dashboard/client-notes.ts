/**
 * Client notes. The audit trail records who wrote, edited and pinned a note, but its text only once the note has been changed or removed.
 */
import { randomUUID } from 'node:crypto';
import type { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import type { ClientNote } from '@portal/contract/client-notes.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clientNotes, users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, desc, eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';

const MAX_NOTES = 200;
export const NOTE_ADDED_ACTION = 'client.note_added';

type ClientKey = { readonly practiceId: string; readonly clientId: string };
type StoredNote = Omit<ClientNote, 'may_edit'> & { readonly authorId: string };

function selectNotes(db: Db | Tx, { practiceId, clientId }: ClientKey, noteId?: string) {
  return db
    .select({
      note_id: clientNotes.id,
      text: clientNotes.text,
      author: users.fullName,
      authorId: clientNotes.authorId,
      written_at: clientNotes.writtenAt,
      edited_at: clientNotes.editedAt,
      is_pinned: sql<boolean>`(${clientNotes.pinnedAt} is not null)`,
    })
    .from(clientNotes)
    .innerJoin(users, eq(users.id, clientNotes.authorId))
    .where(
      and(
        eq(clientNotes.companyId, practiceId),
        eq(clientNotes.clientId, clientId),
        noteId === undefined ? undefined : eq(clientNotes.id, noteId),
      ),
    );
}

const toNote = ({ authorId, ...note }: StoredNote, { userId, role }: Actor): ClientNote => ({
  ...note,
  may_edit: authorId === userId || role === 'practice_admin',
});

/** Lists pinned notes first, then the newest. */
export async function listNotes(db: Db, key: ClientKey, actor: Actor): Promise<ClientNote[]> {
  const notes = await selectNotes(db, key)
    .orderBy(sql`${clientNotes.pinnedAt} desc nulls last`, desc(clientNotes.writtenAt), desc(clientNotes.id))
    .limit(MAX_NOTES);
  return notes.map((note) => toNote(note, actor));
}

/** Lists the newest notes, for the timeline. */
export function listNewestNotes(db: Db, key: ClientKey, limit: number): Promise<StoredNote[]> {
  return selectNotes(db, key).orderBy(desc(clientNotes.writtenAt), desc(clientNotes.id)).limit(limit);
}

type NoteCall<Input> = Pick<Call<typeof clientDashboardApi.addNote>, 'tenant' | 'actor' | 'caller'> & { readonly input: Input };

/** Adds a note with an ID chosen by the caller, so that a repeated call adds only one. */
export async function addNote(
  deps: AppDeps,
  { input, tenant, actor, caller }: NoteCall<{ readonly text: string }>,
  id: string = randomUUID(),
): Promise<ClientNote> {
  const { practiceId: companyId, clientId } = tenant;
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    const note = { companyId, clientId, id, authorId: actor.userId, text: input.text, writtenAt: at };
    const addedNotes = await tx.insert(clientNotes).values(note).onConflictDoNothing().returning({ id: clientNotes.id });
    if (addedNotes.length === 0) return toNote(await getNote(tx, tenant, id), actor);
    const entry = { action: NOTE_ADDED_ACTION, subject: clientId, after: { note_id: id } };
    await recordAudit(tx, { companyId, at, actor: actor.userId, ip: caller.ip, ...entry });
    return toNote(await getNote(tx, tenant, id), actor);
  });
}

/** Removes a note that the agent wrote, unless a user has edited it since. The audit trail keeps its text. */
export async function removeNote(deps: AppDeps, { input, tenant, actor, caller }: NoteCall<{ readonly note_id: string }>): Promise<void> {
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const existing = await lockNote(tx, tenant, input.note_id);
    if (existing.edited_at !== null) {
      throw new AppError('conflict', 'note.changed_since', 'This note has been edited since, so it wasn’t deleted.');
    }
    await tx.delete(clientNotes).where(isNote(tenant, input.note_id));
    const entry = { action: 'client.note_removed', subject: tenant.clientId, before: { note_id: input.note_id, text: existing.text } };
    await recordAudit(tx, { companyId: tenant.practiceId, at, actor: actor.userId, ip: caller.ip, ...entry });
  });
}

export async function editNote(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof clientDashboardApi.editNote>,
): Promise<ClientNote> {
  const { note_id: noteId, text } = input;
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    const existing = await lockNote(tx, tenant, noteId);
    if (!toNote(existing, actor).may_edit) {
      throw new AppError('forbidden', 'note.not_yours', 'Only its author or an admin can edit this note. Add a note of your own instead.');
    }
    if (existing.edited_at !== input.edited_at) {
      throw new AppError(
        'conflict',
        'note.changed_since',
        'This note has been edited since you opened it, so your text wasn’t saved. Copy it, reload the page and edit the note again.',
      );
    }
    if (existing.text === text) return toNote(existing, actor);
    await tx.update(clientNotes).set({ text, editedAt: at }).where(isNote(tenant, noteId));
    await recordAudit(tx, {
      companyId: tenant.practiceId,
      at,
      actor: actor.userId,
      action: 'client.note_edited',
      subject: tenant.clientId,
      before: { note_id: noteId, text: existing.text },
      after: { note_id: noteId },
      ip: caller.ip,
    });
    return toNote({ ...existing, text, edited_at: at }, actor);
  });
}

export async function pinNote(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof clientDashboardApi.pinNote>,
): Promise<ClientNote> {
  const { note_id: noteId, is_pinned: isPinned } = input;
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    const existing = await lockNote(tx, tenant, noteId);
    if (existing.is_pinned === isPinned) return toNote(existing, actor);
    await tx
      .update(clientNotes)
      .set({ pinnedAt: isPinned ? at : null })
      .where(isNote(tenant, noteId));
    const entry = {
      action: isPinned ? 'client.note_pinned' : 'client.note_unpinned',
      subject: tenant.clientId,
      after: { note_id: noteId },
    };
    await recordAudit(tx, { companyId: tenant.practiceId, at, actor: actor.userId, ip: caller.ip, ...entry });
    return toNote({ ...existing, is_pinned: isPinned }, actor);
  });
}

const isNote = ({ practiceId, clientId }: ClientKey, noteId: string) =>
  and(eq(clientNotes.companyId, practiceId), eq(clientNotes.clientId, clientId), eq(clientNotes.id, noteId));

async function getNote(tx: Tx, key: ClientKey, noteId: string): Promise<StoredNote> {
  const [note] = await selectNotes(tx, key, noteId);
  if (!note) throw createNotFoundError();
  return note;
}

async function lockNote(tx: Tx, key: ClientKey, noteId: string): Promise<StoredNote> {
  await tx.select({ id: clientNotes.id }).from(clientNotes).where(isNote(key, noteId)).for('update');
  return getNote(tx, key, noteId);
}
