import { useState } from 'react';
import { Button } from './button.tsx';
import { HiddenText } from './hidden-text.tsx';
import { Icon } from './icon.tsx';

/** How long "Copied" is shown before the button returns to "Copy". */
const CONFIRMATION_MS = 3_000;

const LABELS = { ready: 'Copy', copied: 'Copied', refused: 'Select it to copy' } as const;

type CopyButtonProps = {
  text: string;
  /** Added to the label for screen readers: "link for VAT" or, with a custom label, "for VAT". */
  what: string;
  /** Replaces "Copy" where several buttons are close together. */
  label?: string;
};

/** Copies text that is shown beside it. If the browser blocks clipboard access, asks the user to select the text. */
export function CopyButton({ text, what, label }: CopyButtonProps) {
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
      <Button variant="outlined" size="small" onClick={() => void copy()}>
        {state === 'copied' && <Icon name="check" size={18} />}
        {state === 'ready' ? (label ?? LABELS.ready) : LABELS[state]} <HiddenText>{label === undefined ? `the ${what}` : what}</HiddenText>
      </Button>
      <HiddenText role="status">{state === 'ready' ? '' : LABELS[state]}</HiddenText>
    </>
  );
}
