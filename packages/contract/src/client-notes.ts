/** Notes that a practice writes about a client. */
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, idScalar, instantScalar } from './scalars.ts';

const clientInput = z.extend(companyInput, { client_id: idScalar });

/** A note about a client. `may_edit`: whether the current user wrote it or is an admin. */
const note = z.object({
  note_id: idScalar,
  text: z.string(),
  author: z.string(),
  written_at: instantScalar,
  /** When the note was last edited; null if it never has been. */
  edited_at: z.nullable(instantScalar),
  is_pinned: z.boolean(),
  may_edit: z.boolean(),
});
export type ClientNote = z.output<typeof note>;

/** Maximum length of a note, in characters. */
export const MAX_NOTE_LENGTH = 4000;

export const noteText = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter a note'),
    z.maxLength(MAX_NOTE_LENGTH, `Enter a note of at most ${MAX_NOTE_LENGTH.toLocaleString('en-GB')} characters`),
  );

export const clientNoteEndpoints = {
  notes: endpoint({
    method: 'GET',
    path: '/client/notes',
    access: 'client.read',
    summary: 'List a client’s notes: pinned ones first, then the latest 200, newest first',
    input: clientInput,
    output: z.object({ notes: z.array(note) }),
  }),
  addNote: endpoint({
    method: 'POST',
    path: '/client/notes',
    access: 'client.work',
    summary: 'Add a note to a client',
    input: z.extend(clientInput, { text: noteText }),
    output: note,
  }),
  editNote: endpoint({
    method: 'POST',
    path: '/client/notes/edit',
    access: 'client.work',
    summary: 'Change the text of a note. Only its author and admins can do this; the audit trail keeps the earlier text.',
    input: z.extend(clientInput, {
      note_id: idScalar,
      text: noteText,
      /**
       * The `edited_at` of the version that the user edited. If the note has been edited since, nothing changes (409 `note.changed_since`).
       */
      edited_at: z.nullable(instantScalar),
    }),
    output: note,
  }),
  pinNote: endpoint({
    method: 'POST',
    path: '/client/notes/pin',
    access: 'client.work',
    summary: 'Pin a note to the top, or unpin it',
    input: z.extend(clientInput, { note_id: idScalar, is_pinned: z.boolean() }),
    output: note,
  }),
};
