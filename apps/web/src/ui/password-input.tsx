import clsx from 'clsx';
import { useEffect, useRef, useState, type ComponentProps } from 'react';
import { getButtonClass } from './button-look.ts';
import { HiddenText } from './hidden-text.tsx';
import { TextInput } from './input.tsx';
import styles from './password-input.module.css';

/** A password field without a label, with a button that shows what was typed, so that it needn’t be typed twice. */
export function PasswordInput(props: ComponentProps<typeof TextInput>) {
  const [isShown, setIsShown] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const form = frame.current?.closest('form');
    // Browsers remember what is sent in a visible field, and someone may be watching the next page.
    const hide = () => setIsShown(false);
    form?.addEventListener('submit', hide);
    return () => form?.removeEventListener('submit', hide);
  }, []);
  return (
    <div ref={frame} className={styles.frame}>
      <TextInput
        {...props}
        type={isShown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        className={clsx(styles.input, props.className)}
      />
      <button
        type="button"
        className={clsx(getButtonClass({ variant: 'text', size: 'small' }), styles.toggle)}
        aria-controls={props.id}
        disabled={props.disabled}
        onClick={() => setIsShown(!isShown)}
      >
        {isShown ? 'Hide' : 'Show'}
        <HiddenText> password</HiddenText>
      </button>
    </div>
  );
}
