import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { STEPS, type Progress, type Step } from '@portal/contract/onboarding.ts';
import { Link as RouterLink } from 'react-router';
import { Icon } from '../../ui/icons.tsx';
import { stepLink } from './use-progress.ts';

/** What the steps are called on screens. */
export const STEP_NAMES: Readonly<Record<Step, string>> = {
  about: 'About you',
  company: 'Company',
  'government-gateway': 'HMRC',
  bookkeeping: 'Books',
  'bank-account': 'Bank account',
};

const STATUS_WORDS = { done: 'done', later: 'left for later', todo: 'to do' } as const;
type Status = keyof typeof STATUS_WORDS;

/** The steps, which are done, where one is. Done and postponed ones can be opened again. Before there is an account only the names are known. */
export function Stepper({ current, progress }: { current: Step; progress: Progress | undefined }) {
  const position = STEPS.indexOf(current);
  return (
    <Box component="nav" aria-label="Steps" sx={{ mb: { xs: 2, md: 4 } }}>
      <Typography variant="body2" sx={{ display: { xs: 'block', md: 'none' }, color: 'text.secondary', fontWeight: 500 }}>
        Step {position + 1} of {STEPS.length}
      </Typography>
      <Box component="ol" sx={{ listStyle: 'none', m: 0, mt: { xs: 1, md: 0 }, p: 0, display: 'flex', gap: { xs: 0.75, md: 1.5 } }}>
        {STEPS.map((step) => (
          <StepItem key={step} step={step} current={step === current} progress={progress} />
        ))}
      </Box>
    </Box>
  );
}

function StepItem({ step, current, progress }: { step: Step; current: boolean; progress: Progress | undefined }) {
  const status: Status = progress?.steps.find((known) => known.step === step)?.status ?? 'todo';
  const isMarked = current || status === 'done';
  const name = <StepName step={step} status={status} current={current} />;
  return (
    <Box component="li" aria-current={current ? 'step' : undefined} sx={{ flex: 1, minWidth: 0 }}>
      <Box
        sx={{ height: 4, borderRadius: 2, bgcolor: isMarked ? 'primary.fill' : 'divider', opacity: current || status === 'done' ? 1 : 0.9 }}
      />
      <Box
        sx={{
          // Below md the bars alone show the way; the names stay for screen readers.
          mt: { xs: 0, md: 1 },
          ...({ position: { xs: 'absolute', md: 'static' }, clip: { xs: 'rect(0 0 0 0)', md: 'auto' } } as const),
          overflow: 'hidden',
          width: { xs: 1, md: 'auto' },
          height: { xs: 1, md: 'auto' },
        }}
      >
        {progress !== undefined && !current && status !== 'todo' ? (
          <Link component={RouterLink} to={stepLink(step, progress.company_id)} sx={{ display: 'inline-block' }}>
            {name}
          </Link>
        ) : (
          name
        )}
      </Box>
    </Box>
  );
}

function StepName({ step, status, current }: { step: Step; status: Status; current: boolean }) {
  return (
    <Typography
      component="span"
      variant="body2"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 0.5,
        fontWeight: current ? 600 : 400,
        color: current ? 'text.primary' : status === 'todo' ? 'text.secondary' : 'inherit',
      }}
    >
      {status === 'done' && <Icon name="check" sx={{ fontSize: 18 }} />}
      {STEP_NAMES[step]}
      {status === 'later' && <span> (later)</span>}
      {status === 'done' && <Box component="span" sx={{ position: 'absolute', clip: 'rect(0 0 0 0)' }}>{`, ${STATUS_WORDS.done}`}</Box>}
    </Typography>
  );
}
