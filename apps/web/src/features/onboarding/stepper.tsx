import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { orderSteps, type Progress, type Step } from '@portal/contract/onboarding.ts';
import { findPartner } from '@portal/domain/partners/partners.ts';
import { Link as RouterLink } from 'react-router';
import { currentPartner } from '../../lib/partner.ts';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Icon } from '../../ui/icons.tsx';
import { stepLink } from './use-progress.ts';

/** What the steps are called on screens. */
const STEP_NAMES: Readonly<Record<Step, string>> = {
  about: 'About you',
  company: 'Company',
  'government-gateway': 'HMRC',
  bookkeeping: 'Books',
  'bank-account': 'Bank account',
  identity: 'Identity',
};

/** The steps, which are done, where one is. Done and postponed ones can be opened again. Before there is an account only the names are known. */
export function Stepper({ current, progress }: { current: Step; progress: Progress | undefined }) {
  const steps = progress?.steps.map(({ step }) => step) ?? orderSteps(findPartner(currentPartner()).booksStep);
  const position = steps.indexOf(current);
  return (
    <Box component="nav" aria-label="Steps" sx={{ mb: { xs: 2, md: 4 } }}>
      <Typography variant="body2" sx={{ display: { xs: 'block', md: 'none' }, mb: 1, color: 'text.secondary', fontWeight: 500 }}>
        Step {position + 1} of {steps.length}
      </Typography>
      <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0, display: 'flex', gap: { xs: 0.75, md: 1.5 } }}>
        {steps.map((step) => (
          <StepItem key={step} step={step} current={step === current} progress={progress} />
        ))}
      </Box>
    </Box>
  );
}

function StepItem({ step, current, progress }: { step: Step; current: boolean; progress: Progress | undefined }) {
  const status = progress?.steps.find((known) => known.step === step)?.status ?? 'todo';
  const label = (
    <>
      {status === 'done' && <Icon name="check" sx={{ fontSize: 18 }} />}
      {STEP_NAMES[step]}
      {status === 'later' && ' (later)'}
      {status === 'done' && <HiddenText>, done</HiddenText>}
    </>
  );
  return (
    <Box component="li" aria-current={current ? 'step' : undefined} sx={{ flex: 1, minWidth: 0, position: 'relative' }}>
      <Box sx={{ height: 4, borderRadius: 2, bgcolor: current || status === 'done' ? 'primary.fill' : 'divider' }} />
      {/* Below md the bars alone show the way, and the headings say where one is. */}
      <Box sx={{ display: { xs: 'none', md: 'flex' }, alignItems: 'center', mt: 1, fontSize: '0.875rem', minHeight: 24 }}>
        {progress !== undefined && !current && status !== 'todo' ? (
          <Link
            component={RouterLink}
            to={stepLink(step, progress.company_id)}
            sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5 }}
          >
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
