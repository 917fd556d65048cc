import type { ClientNote } from '@portal/contract/client-notes.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './notes-card.module.css';

/** A note with its author and time. */
export function NoteText({ note }: { note: ClientNote }) {
  return (
    <>
      <Text className={styles.text}>{note.text}</Text>
      <Text size="small" tone="quiet">
        {note.author}, <InstantText at={note.written_at} />
        {note.edited_at !== null && (
          <>
            , edited <InstantText at={note.edited_at} />
          </>
        )}
      </Text>
    </>
  );
}
