import type { ClientIds } from './client-page.ts';
import { NotesCard } from './notes-card.tsx';
import { TimelineCard } from './timeline-card.tsx';

/** What the practice wrote about the client, and what has happened. */
export function NotesTab({ ids }: { ids: ClientIds }) {
  return (
    <>
      <NotesCard ids={ids} />
      <TimelineCard ids={ids} />
    </>
  );
}
