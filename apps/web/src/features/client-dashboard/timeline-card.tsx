/** What happened to the client, newest first. */
import { clientDashboardApi, type TimelineEntry } from '@portal/contract/client-dashboard.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';

const ICONS: Readonly<Record<TimelineEntry['kind'], IconName>> = { change: 'check', figures: 'refresh', note: 'file' };
/** Number of entries shown before "Show all". */
const INITIAL_ENTRY_COUNT = 10;

export function TimelineCard({ ids }: { ids: ClientIds }) {
  const query = useQuery(apiQuery(clientDashboardApi.timeline, toClientInput(ids)));
  const [showsAll, setShowsAll] = useState(false);
  return (
    <SectionCard title="Timeline">
      <LoadState query={query} skeleton={<TableSkeleton rows={4} />}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Typography sx={{ color: 'text.secondary' }}>Nothing has happened yet.</Typography>
          ) : (
            <>
              <Box component="ol" aria-label="Timeline" sx={{ listStyle: 'none', m: 0, p: 0 }}>
                {(showsAll ? entries : entries.slice(0, INITIAL_ENTRY_COUNT)).map((entry) => (
                  <Entry key={entry.key} entry={entry} />
                ))}
              </Box>
              {entries.length > INITIAL_ENTRY_COUNT && !showsAll && (
                <Button variant="text" onClick={() => setShowsAll(true)}>
                  Show all {entries.length}
                </Button>
              )}
            </>
          )
        }
      </LoadState>
    </SectionCard>
  );
}

function Entry({ entry }: { entry: TimelineEntry }) {
  return (
    <Box component="li" sx={{ display: 'flex', gap: 1.5, py: 1 }}>
      <Icon name={ICONS[entry.kind]} sx={{ fontSize: 20, color: 'text.secondary', mt: '2px' }} />
      <Box sx={{ minWidth: 0 }}>
        <Typography sx={{ fontWeight: 500 }}>{entry.title}</Typography>
        {entry.detail !== null && <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{entry.detail}</Typography>}
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          <InstantText at={entry.at} />
          {entry.who !== null && `, ${entry.who}`}
        </Typography>
      </Box>
    </Box>
  );
}
