/** Operators' notes on an advance or a company, and a field to add one. */
import { deskApi } from '@portal/contract/desk.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type RefObject } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { TextArea } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './notes-list.module.css';
import { SubmitButton } from '../../ui/submit-button.tsx';

type NotesListProps = { companyId: string; subjectId: string; field?: RefObject<HTMLTextAreaElement | null> };

export function NotesList({ companyId, subjectId, field }: NotesListProps) {
  const input = { company_id: companyId, subject_id: subjectId };
  const { data } = useQuery(apiQuery(deskApi.notes, input));
  const [noteText, setText] = useState('');
  // The ID stays the same while the user writes the note, so that a repeated request adds it only once.
  const [noteId, setNoteId] = useState(() => crypto.randomUUID());
  const queryClient = useQueryClient();
  const add = useMutation({
    mutationFn: () => apiRequest(deskApi.addNote, { ...input, note_id: noteId, text: noteText }),
    onSuccess: () => {
      setText('');
      setNoteId(crypto.randomUUID());
      return Promise.all([
        queryClient.invalidateQueries({ queryKey: [deskApi.notes.path] }),
        queryClient.invalidateQueries({ queryKey: [deskApi.list.path] }),
      ]);
    },
  });
  const send = (): void => {
    if (noteText.trim() !== '' && !add.isPending) add.mutate();
  };
  return (
    <Stack gap={8}>
      {(data?.notes ?? []).map((note) => (
        <div key={note.note_id} className={styles.note}>
          <Text size="small">{note.text}</Text>
          <Text size="small" tone="quiet">
            {note.by}, <InstantText at={note.at} />
          </Text>
        </div>
      ))}
      <label htmlFor={`note-${subjectId}`} className={styles.label}>
        New note for other operators
      </label>
      <TextArea
        id={`note-${subjectId}`}
        ref={field}
        rows={2}
        value={noteText}
        maxLength={1000}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
        }}
      />
      {add.error && (
        <Text size="small" tone="error" role="alert">
          {getErrorText(add.error)}
        </Text>
      )}
      <ButtonRow>
        <SubmitButton
          size="small"
          variant="outlined"
          missing={noteText.trim() === '' ? 'Enter a note' : undefined}
          isBusy={add.isPending}
          onClick={send}
        >
          Add note
        </SubmitButton>
      </ButtonRow>
    </Stack>
  );
}
