import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Icon } from './icons.tsx';

/** How long "Copied" is shown before the button returns to "Copy". */
const SAID_FOR_MS = 3_000;

const WORDS = { ready: 'Copy', copied: 'Copied', refused: 'Select it to copy' } as const;

/** Copies a text that is shown beside it. If the browser blocks clipboard access, it asks the user to select the text. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<keyof typeof WORDS>('ready');
  const copy = async (): Promise<void> => {
    const outcome = await navigator.clipboard.writeText(text).then(
      () => 'copied' as const,
      () => 'refused' as const,
    );
    setState(outcome);
    setTimeout(() => setState('ready'), SAID_FOR_MS);
  };
  return (
    <>
      <Button
        variant="outlined"
        size="small"
        startIcon={state === 'copied' ? <Icon name="check" /> : undefined}
        onClick={() => void copy()}
      >
        {WORDS[state]}
        <Hidden> the {what}</Hidden>
      </Button>
      <Hidden role="status">{state === 'ready' ? '' : WORDS[state]}</Hidden>
    </>
  );
}

function Hidden(props: { role?: string; children: React.ReactNode }) {
  return (
    <Box
      component="span"
      {...props}
      sx={{ position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clip: 'rect(0 0 0 0)' }}
    />
  );
}
