/** Who changed the advance's state, when and why. Newest first. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { InstantText } from '../../ui/date-text.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { ADVANCE_CHIPS } from './advance-labels.ts';
import type { OperatorPartProps } from './operator-outputs.ts';

export function HistoryCard({ data }: OperatorPartProps) {
  return (
    <SectionCard title="History">
      <Box component="ol" reversed sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {data.history.toReversed().map((move) => (
          <Box component="li" key={`${move.at}${move.to}`} sx={{ py: 1.25, '& + &': { borderTop: 1, borderColor: 'divider' } }}>
            <StateChip {...ADVANCE_CHIPS[move.to]} />
            <Typography variant="body2" sx={{ mt: 0.5 }}>
              <InstantText at={move.at} /> by {move.actor}
            </Typography>
            {move.reason === '' ? null : (
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {move.reason}
              </Typography>
            )}
          </Box>
        ))}
      </Box>
    </SectionCard>
  );
}
