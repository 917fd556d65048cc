/** How much of our money is outstanding, compared with the limit. */
import { formatPounds, pence } from '@portal/domain/money.ts';
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import type { Queues } from './operator-outputs.ts';

/** From this percentage on, the bar and the text show a warning. */
const NEARLY_FULL_PERCENT = 85;

export function ExposureCard({ data }: { data: Queues }) {
  const { exposure_pence: exposure, exposure_limit_pence: limit } = data;
  const percent = limit > 0 ? (exposure / limit) * 100 : 100;
  const isTight = percent >= NEARLY_FULL_PERCENT;
  const words = percent > 0 && percent < 1 ? 'less than 1%' : `${Math.round(percent)}%`;
  return (
    <SectionCard title="Exposure">
      <KeyFigure
        figure={formatPounds(exposure)}
        label={`of ${formatPounds(limit)} is out: ${words}`}
        details={
          exposure > limit
            ? 'The limit is passed: no further refund is bought until HMRC has repaid some.'
            : `${formatPounds(pence(limit - exposure))} can still be bought${isTight ? '; the limit is near' : ''}.`
        }
        tone={isTight ? 'error' : undefined}
      />
      <Box sx={{ mt: 2, maxWidth: 560 }}>
        <LinearProgress
          variant="determinate"
          value={Math.min(100, percent)}
          color={isTight ? 'error' : 'primary'}
          aria-label="Exposure of its limit"
          sx={{ height: 8, borderRadius: 1, bgcolor: 'divider' }}
        />
      </Box>
    </SectionCard>
  );
}
