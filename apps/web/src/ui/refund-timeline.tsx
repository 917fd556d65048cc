/** The refund's way, vertical and dated: what is done, the present stage large, the next one named. Used by the dashboard, the advance and the operators. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { InstantText } from './date-text.tsx';

export type TimelineStage = NonNullable<DashboardOutput['advance']>['timeline'][number];

type Standing = 'done' | 'current' | 'trouble' | 'next' | 'later';

/** Only the first of the stages to come is "next"; those after it are "later". */
function standingOf(stages: readonly TimelineStage[], index: number): Standing {
  const status = stages[index]?.status ?? 'next';
  if (status !== 'next') return status;
  return stages.findIndex((stage) => stage.status === 'next') === index ? 'next' : 'later';
}

const WORDS: Record<Standing, string> = { done: 'Done', current: 'Now', trouble: 'Needs attention', next: 'Next', later: 'Later' };

export function RefundTimeline({ stages, label }: { stages: readonly TimelineStage[]; label: string }) {
  return (
    <Box component="ol" aria-label={label} sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {stages.map((stage, index) => (
        <StageRow key={stage.stage} stage={stage} standing={standingOf(stages, index)} last={index === stages.length - 1} />
      ))}
    </Box>
  );
}

function StageRow({ stage, standing, last }: { stage: TimelineStage; standing: Standing; last: boolean }) {
  const large = standing === 'current' || standing === 'trouble';
  return (
    <Box
      component="li"
      aria-current={large ? 'step' : undefined}
      sx={{ display: 'grid', gridTemplateColumns: '32px minmax(0, 1fr)', columnGap: 1.5 }}
    >
      <Box aria-hidden sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center' }}>
        <Marker standing={standing} />
        {last ? null : (
          <Box
            sx={{
              flex: 1,
              minHeight: 12,
              borderLeft: '2px',
              borderLeftStyle: standing === 'done' ? 'solid' : 'dashed',
              borderColor: standing === 'done' ? 'success.main' : 'divider',
            }}
          />
        )}
      </Box>
      <Box sx={{ pb: last ? 0 : large ? 3 : 2, pt: large ? 0 : '2px' }}>
        <Typography
          component="p"
          sx={{
            fontSize: large ? 20 : 16,
            fontWeight: large ? 600 : standing === 'later' ? 400 : 500,
            lineHeight: large ? '32px' : '28px',
            color: standing === 'later' ? 'text.secondary' : 'text.primary',
          }}
        >
          {standing === 'done' || standing === 'later' ? (
            <Box component="span" sx={VISUALLY_HIDDEN}>
              {WORDS[standing]}:{' '}
            </Box>
          ) : (
            <Box component="span" sx={{ color: WORD_TONE[standing], mr: 0.5 }}>
              {WORDS[standing]}:
            </Box>
          )}
          {stage.title}
        </Typography>
        <StageDate stage={stage} standing={standing} />
        {stage.detail === '' ? null : (
          <Typography sx={{ color: large ? 'text.primary' : 'text.secondary', fontSize: large ? 16 : 14, maxWidth: '62ch' }}>
            {stage.detail}
          </Typography>
        )}
      </Box>
    </Box>
  );
}

function StageDate({ stage, standing }: { stage: TimelineStage; standing: Standing }) {
  if (!stage.at && !stage.expected_on) return null;
  return (
    <Typography sx={{ fontSize: 14, color: 'text.secondary' }}>
      {stage.at && standing !== 'next' && standing !== 'later' ? (
        <>
          {standing === 'done' ? '' : 'Since '}
          <InstantText at={stage.at} />
        </>
      ) : null}
      {stage.expected_on && standing !== 'done' ? (
        <span>
          {stage.at && (standing === 'current' || standing === 'trouble') ? ' · ' : ''}
          Expected by {formatDate(stage.expected_on)}
        </span>
      ) : null}
    </Typography>
  );
}

const VISUALLY_HIDDEN = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clip: 'rect(0 0 0 0)',
  whiteSpace: 'nowrap',
};

const WORD_TONE: Record<'current' | 'trouble' | 'next', string> = {
  current: 'primary.tone',
  trouble: 'error.tone',
  next: 'text.secondary',
};

const MARKS: Record<Standing, { size: number; fill: string; border: string; path: string }> = {
  done: { size: 24, fill: 'success.tone', border: 'success.tone', path: 'M6.5 12.5l3.5 3.5 7.5-8' },
  current: { size: 32, fill: 'primary.tone', border: 'primary.tone', path: 'M12 7v5l3.5 2' },
  trouble: { size: 32, fill: 'error.tone', border: 'error.tone', path: 'M12 6.5v7M12 17v.2' },
  next: { size: 24, fill: 'background.paper', border: 'text.secondary', path: '' },
  later: { size: 16, fill: 'background.paper', border: 'divider', path: '' },
};

function Marker({ standing }: { standing: Standing }) {
  const mark = MARKS[standing];
  return (
    <Box
      sx={{
        width: mark.size,
        height: mark.size,
        my: standing === 'later' ? 0.75 : standing === 'done' || standing === 'next' ? 0.5 : 0,
        borderRadius: '50%',
        bgcolor: mark.fill,
        border: '2px solid',
        borderColor: mark.border,
        flexShrink: 0,
        display: 'grid',
        placeItems: 'center',
      }}
    >
      {mark.path === '' ? null : (
        <Box
          component="svg"
          viewBox="0 0 24 24"
          sx={{ width: mark.size - 6, height: mark.size - 6, fill: 'none', stroke: 'background.paper', color: 'background.paper' }}
        >
          <path d={mark.path} stroke="currentColor" strokeWidth={2.5} strokeLinecap="round" strokeLinejoin="round" />
        </Box>
      )}
    </Box>
  );
}
