/** One note, which can be pinned above the rest or edited. */
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { MAX_NOTE_LENGTH, type ClientNote } from '@portal/contract/client-notes.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { focusOnMount } from '../../lib/focus-on-mount.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TextArea } from '../../ui/input.tsx';
import { Row } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';
import { NoteText } from './note-text.tsx';
import styles from './notes-card.module.css';
import { useInvalidateNotes } from './use-invalidate-notes.ts';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';

type NoteItemProps = { ids: ClientIds; note: ClientNote };

/** Names the note in the buttons' labels, because a screen reader's list of buttons gives no other context. */
const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)} …` : text);

export function NoteItem({ ids, note }: NoteItemProps) {
  const [isEditing, setEditing] = useState(false);
  const invalidateNotes = useInvalidateNotes();
  const pin = useMutation({
    mutationFn: () => apiRequest(clientDashboardApi.pinNote, { ...toClientInput(ids), note_id: note.note_id, is_pinned: !note.is_pinned }),
    onSuccess: invalidateNotes,
  });
  if (isEditing) return <NoteForm ids={ids} note={note} onClose={() => setEditing(false)} />;
  return (
    <>
      {note.is_pinned && (
        <Text size="small" weight="medium" tone="primary" className={styles.pinned}>
          <Icon name="pin" size={16} /> Pinned
        </Text>
      )}
      <NoteText note={note} />
      <Row gap={8}>
        <Button size="small" variant="text" fit="flush" isBusy={pin.isPending} onClick={() => pin.mutate()}>
          {note.is_pinned ? 'Unpin' : 'Pin'} <HiddenText>note “{shorten(note.text)}”</HiddenText>
        </Button>
        {note.may_edit && (
          <Button size="small" variant="text" fit="flush" onClick={() => setEditing(true)}>
            Edit <HiddenText>note “{shorten(note.text)}”</HiddenText>
          </Button>
        )}
      </Row>
      {pin.error !== null && (
        <Text role="alert" size="small" tone="error">
          {getErrorText(pin.error)}
        </Text>
      )}
    </>
  );
}

const HINT = 'The timeline keeps the earlier text.';

function NoteForm({ ids, note, onClose }: NoteItemProps & { onClose: () => void }) {
  const [noteText, setText] = useState(note.text);
  const invalidateNotes = useInvalidateNotes();
  const save = useMutation({
    mutationFn: () =>
      apiRequest(clientDashboardApi.editNote, { ...toClientInput(ids), note_id: note.note_id, text: noteText, edited_at: note.edited_at }),
    onSuccess: async () => {
      await invalidateNotes();
      onClose();
    },
  });
  const missing = getMissingText([noteText.trim() === '' ? 'Enter a note' : undefined], noteText.trim() !== note.text);
  const id = `note-${note.note_id}`;
  const error = save.error === null ? undefined : getErrorText(save.error);
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (missing === undefined && !save.isPending) save.mutate();
      }}
    >
      <FieldFrame id={id} label="Edit note" hint={HINT} error={error}>
        <TextArea
          id={id}
          ref={focusOnMount}
          value={noteText}
          onChange={({ target: { value } }) => setText(value)}
          rows={3}
          isInvalid={error !== undefined}
          maxLength={MAX_NOTE_LENGTH}
          aria-describedby={getDescribedBy(id, HINT, error)}
        />
      </FieldFrame>
      <Row gap={8}>
        <SubmitButton
          size="small"
          missing={missing}
          isBusy={save.isPending}
          otherActions={
            <Button size="small" variant="outlined" onClick={onClose}>
              Cancel
            </Button>
          }
        >
          Save note
        </SubmitButton>
      </Row>
    </form>
  );
}
