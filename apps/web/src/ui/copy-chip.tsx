import { useState } from 'react';
import styles from './copy-chip.module.css';
import { HiddenText } from './hidden-text.tsx';
import { Icon } from './icon.tsx';

/** How long the tick is shown. */
const CONFIRMATION_MS = 3_000;

/** A labelled value that is copied when clicked. If the browser blocks the clipboard, asks the user to select the text. */
export function CopyChip({ label, text, copiedText = text }: { label: string; text: string; copiedText?: string }) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready');
  const copy = async (): Promise<void> => {
    const outcome = await navigator.clipboard.writeText(copiedText).then(
      () => 'copied' as const,
      () => 'refused' as const,
    );
    setState(outcome);
    setTimeout(() => setState('ready'), CONFIRMATION_MS);
  };
  return (
    <>
      <button type="button" className={styles.chip} onClick={() => void copy()}>
        <span className={styles.label}>
          <HiddenText>Copy</HiddenText> {label}
        </span>{' '}
        <span className={styles.text}>{text}</span>
        <Icon name={state === 'copied' ? 'check' : 'copy'} size={16} />
      </button>
      <HiddenText role="status">
        {state === 'copied' ? `${label} copied` : state === 'refused' ? 'Your browser blocks copying. Select the text instead.' : ''}
      </HiddenText>
    </>
  );
}
