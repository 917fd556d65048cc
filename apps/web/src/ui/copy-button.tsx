import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Icon } from './icons.tsx';

/** How long "Copied" is shown before the button returns to "Copy". */
const CONFIRMATION_MS = 3_000;

const LABELS = { ready: 'Copy', copied: 'Copied', refused: 'Select it to copy' } as const;

/** Copies a text that is shown beside it. If the browser blocks clipboard access, it asks the user to select the text. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<keyof typeof LABELS>('ready');
  const copy = async (): Promise<void> => {
    const outcome = await navigator.clipboard.writeText(text).then(
      () => 'copied' as const,
      () => 'refused' as const,
    );
    setState(outcome);
    setTimeout(() => setState('ready'), CONFIRMATION_MS);
  };
  return (
    <>
      <Button
        variant="outlined"
        size="small"
        startIcon={state === 'copied' ? <Icon name="check" /> : undefined}
        onClick={() => void copy()}
      >
        {LABELS[state]}
        <VisuallyHidden> the {what}</VisuallyHidden>
      </Button>
      <VisuallyHidden role="status">{state === 'ready' ? '' : LABELS[state]}</VisuallyHidden>
    </>
  );
}

function VisuallyHidden(props: { role?: string; children: React.ReactNode }) {
  return (
    <Box
      component="span"
      {...props}
      sx={{ position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clip: 'rect(0 0 0 0)' }}
    />
  );
}
