import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { StateIcon, type PanelState } from './state-icon.tsx';

type StatusPanelProps = {
  state: PanelState;
  heading?: string;
  subHeading?: ReactNode;
  children?: ReactNode;
  /** Choose the level that fits the page's outline: h2 below a Page's title. */
  headingLevel?: 'h1' | 'h2' | 'h3';
  onContinue?: (() => void) | undefined;
  continueLabel?: string;
  onSkip?: (() => void) | undefined;
  skipLabel?: string;
};

/** The outcome of an operation: icon, heading, what it means, what to do (docs/product/specification.md section 2.6). */
export function StatusPanel(props: StatusPanelProps) {
  const {
    state,
    heading,
    subHeading,
    children,
    headingLevel = 'h2',
    onContinue,
    continueLabel = 'Continue',
    onSkip,
    skipLabel = 'Skip',
  } = props;
  return (
    <Box
      role={state === 'error' ? 'alert' : 'status'}
      aria-busy={state === 'loading'}
      sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', textAlign: 'center', gap: 2, py: { xs: 3, md: 5 }, px: 2 }}
    >
      <StateIcon state={state} isNamed={heading === undefined} />
      {heading !== undefined && (
        <Typography
          component={headingLevel}
          sx={{ fontSize: '1.5rem', fontWeight: 600, lineHeight: 1.25, maxWidth: 520, textWrap: 'balance' }}
        >
          {heading}
        </Typography>
      )}
      {subHeading !== undefined && (
        <Typography component="div" sx={{ color: 'text.secondary', maxWidth: 520, textWrap: 'balance' }}>
          {subHeading}
        </Typography>
      )}
      {children !== undefined && <Box sx={{ maxWidth: 520, width: '100%', textWrap: 'pretty' }}>{children}</Box>}
      {(onContinue !== undefined || onSkip !== undefined) && (
        <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', gap: 1, mt: 1, width: '100%' }}>
          {onContinue !== undefined && (
            <Button fullWidth onClick={onContinue} disabled={state === 'loading'}>
              {continueLabel}
            </Button>
          )}
          {onSkip !== undefined && state !== 'loading' && (
            <Button fullWidth variant="text" onClick={onSkip}>
              {skipLabel}
            </Button>
          )}
        </Box>
      )}
    </Box>
  );
}
