/** The practice's notes about the client, pinned ones first. */
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { MAX_NOTE_LENGTH } from '@portal/contract/client-notes.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { deleteDraft, saveDraft, readDraft } from '../../lib/form-draft.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextArea } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';
import { NoteItem } from './note-item.tsx';
import styles from './notes-card.module.css';
import { useInvalidateNotes } from './use-invalidate-notes.ts';
import { SubmitButton } from '../../ui/submit-button.tsx';

const HINT = 'Colleagues assigned to this client can see it.';

export function NotesCard({ ids }: { ids: ClientIds }) {
  const query = useQuery(apiQuery(clientDashboardApi.notes, toClientInput(ids)));
  return (
    <SectionCard title="Notes">
      <NewNote key={ids.clientId} ids={ids} />
      <LoadState query={query} skeleton={<TableSkeleton rows={2} />}>
        {({ notes }) =>
          notes.length === 0 ? (
            <Text tone="quiet">No notes yet.</Text>
          ) : (
            <Stack as="ul" gap={0} aria-label="Notes">
              {notes.map((note) => (
                <li key={note.note_id} className={styles.note}>
                  <NoteItem ids={ids} note={note} />
                </li>
              ))}
            </Stack>
          )
        }
      </LoadState>
    </SectionCard>
  );
}

function NewNote({ ids }: { ids: ClientIds }) {
  const invalidateNotes = useInvalidateNotes();
  const draft = { name: `note ${ids.clientId}`, fields: ['text'] };
  const [noteText, setText] = useState(() => readDraft(draft)['text'] ?? '');
  const add = useMutation({
    mutationFn: () => apiRequest(clientDashboardApi.addNote, { ...toClientInput(ids), text: noteText }),
    onSuccess: async () => {
      setText('');
      deleteDraft(draft);
      await invalidateNotes();
    },
  });
  const error = add.error === null ? undefined : getErrorText(add.error);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (noteText.trim() !== '' && !add.isPending) add.mutate();
      }}
      className={styles.form}
    >
      <FieldFrame id="new-note" label="New note" hint={HINT} error={error}>
        <TextArea
          id="new-note"
          value={noteText}
          onChange={({ target: { value } }) => {
            setText(value);
            saveDraft(draft, { text: value });
          }}
          rows={2}
          isInvalid={error !== undefined}
          maxLength={MAX_NOTE_LENGTH}
          aria-describedby={getDescribedBy('new-note', HINT, error)}
        />
      </FieldFrame>
      <ButtonRow>
        <SubmitButton variant="outlined" missing={noteText.trim() === '' ? 'Enter a note' : undefined} isBusy={add.isPending}>
          {add.isPending ? 'Adding…' : 'Add note'}
        </SubmitButton>
      </ButtonRow>
    </form>
  );
}
