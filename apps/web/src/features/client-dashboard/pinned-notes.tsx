import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';
import { NoteText } from './note-text.tsx';

/** The pinned notes. Renders nothing if there are none. */
export function PinnedNotes({ ids }: { ids: ClientIds }) {
  const { data } = useQuery(apiQuery(clientDashboardApi.notes, toClientInput(ids)));
  const pinnedNotes = data?.notes.filter((note) => note.is_pinned) ?? [];
  if (pinnedNotes.length === 0) return null;
  return (
    <SectionCard title="Pinned">
      <Stack as="ul" gap={12} aria-label="Pinned notes">
        {pinnedNotes.map((note) => (
          <li key={note.note_id}>
            <NoteText note={note} />
          </li>
        ))}
      </Stack>
    </SectionCard>
  );
}
