import type { StepStatus } from '@portal/contract/scalars.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { HiddenText } from './hidden-text.tsx';
import { Icon } from './icons.tsx';

export type BarStep = {
  readonly key: string;
  readonly label: string;
  readonly status: StepStatus;
  /** The path to open it again. Undefined if it can't be opened yet. */
  readonly to: string | undefined;
};

/** The steps of a sign-up, with the current one and those that are done. Done and postponed steps are links. */
export function StepBar({ current, steps }: { current: string; steps: readonly BarStep[] }) {
  const done = steps.filter(({ status }) => status === 'done').length;
  const position = steps.findIndex(({ key }) => key === current);
  return (
    <Box component="nav" aria-label="Steps" sx={{ mb: { xs: 2, md: 4 } }}>
      <Typography variant="body2" sx={{ display: { xs: 'block', md: 'none' }, mb: 1, color: 'text.secondary', fontWeight: 500 }}>
        {formatStepPosition(position, done, steps.length)}
      </Typography>
      <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0, display: 'flex', gap: { xs: 0.75, md: 1.5 } }}>
        {steps.map((step) => (
          <StepItem key={step.key} step={step} current={step.key === current} />
        ))}
      </Box>
    </Box>
  );
}

/** A bar is full only if its step is done. The current bar is half filled, so that the last step doesn't look finished too early. */
function getBarStyle(isDone: boolean, isCurrent: boolean) {
  if (isDone) return { bgcolor: 'primary.fill' };
  if (!isCurrent) return { bgcolor: 'divider' };
  const [filled, rest] = ['var(--mui-palette-primary-fill)', 'var(--mui-palette-divider)'];
  return { background: `linear-gradient(to right, ${filled} 50%, ${rest} 50%)` };
}

/** For example "Step 2 of 6, 4 done" or "All 6 steps done". */
export function formatStepPosition(position: number, done: number, total: number): string {
  if (done === total) return `All ${total} steps done`;
  return `Step ${position + 1} of ${total}${done > position ? `, ${done} done` : ''}`;
}

function StepItem({ step, current }: { step: BarStep; current: boolean }) {
  const { status, to } = step;
  const label = (
    <>
      {status === 'done' && <Icon name="check" sx={{ fontSize: 18 }} />}
      {step.label}
      {status === 'later' && ' (later)'}
      {status === 'done' && <HiddenText>, done</HiddenText>}
    </>
  );
  return (
    <Box component="li" aria-current={current ? 'step' : undefined} sx={{ flex: 1, minWidth: 0, position: 'relative' }}>
      <Box sx={{ height: 4, borderRadius: 2, ...getBarStyle(status === 'done', current) }} />
      {/* Below md only the bars are shown; the text above them names the position. */}
      <Box sx={{ display: { xs: 'none', md: 'flex' }, alignItems: 'center', mt: 1, fontSize: '0.875rem', minHeight: 24 }}>
        {to !== undefined && !current && status !== 'todo' ? (
          <Link component={RouterLink} to={to} sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5 }}>
            {label}
          </Link>
        ) : (
          <Box
            component="span"
            sx={{
              display: 'inline-flex',
              alignItems: 'center',
              gap: 0.5,
              fontWeight: current ? 600 : 400,
              color: current ? 'text.primary' : 'text.secondary',
            }}
          >
            {label}
          </Box>
        )}
      </Box>
    </Box>
  );
}
