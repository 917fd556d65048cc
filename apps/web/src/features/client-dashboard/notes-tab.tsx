import type { ClientIds } from './client-page.ts';
import { NotesCard } from './notes-card.tsx';
import { TimelineCard } from './timeline-card.tsx';

/** The practice's notes about the client, and the timeline. */
export function NotesTab({ ids }: { ids: ClientIds }) {
  return (
    <>
      <NotesCard ids={ids} />
      <TimelineCard ids={ids} />
    </>
  );
}
