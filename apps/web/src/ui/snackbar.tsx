import clsx from 'clsx';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import styles from './snackbar.module.css';

export type SnackbarPosition = { readonly vertical: 'top' | 'bottom'; readonly horizontal: 'left' | 'center' | 'right' };

type SnackbarProps = {
  onClose: () => void;
  /** Undefined means that it stays until closed. */
  autoHideMs?: number;
  position?: SnackbarPosition;
  /** The content, which sets its own colours. */
  children: ReactNode;
};

/**
 * A message at the edge of the page, by default at the bottom left. The auto-hide timer pauses while the message has the pointer or focus,
 * or while the window isn't focused, and resumes with half the time (docs/product/specification.md section 4). Esc closes the message.
 */
export function Snackbar({ onClose, autoHideMs, position = { vertical: 'bottom', horizontal: 'left' }, children }: SnackbarProps) {
  const [isPaused, setIsPaused] = useState(false);
  const [wasPaused, setWasPaused] = useState(false);
  const close = useEffectEvent(onClose);
  const pause = () => {
    setIsPaused(true);
    setWasPaused(true);
  };
  const resume = () => setIsPaused(false);
  useEffect(() => {
    if (autoHideMs === undefined || isPaused) return undefined;
    const timer = setTimeout(() => close(), wasPaused ? autoHideMs / 2 : autoHideMs);
    return () => clearTimeout(timer);
  }, [autoHideMs, isPaused, wasPaused]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close();
    };
    document.addEventListener('keydown', onKeyDown);
    window.addEventListener('blur', pause);
    window.addEventListener('focus', resume);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      window.removeEventListener('blur', pause);
      window.removeEventListener('focus', resume);
    };
  }, []);
  return (
    <div
      role="presentation"
      className={clsx(styles.snackbar, styles[position.vertical], styles[position.horizontal])}
      onMouseEnter={pause}
      onMouseLeave={resume}
      onFocus={pause}
      onBlur={resume}
    >
      {children}
    </div>
  );
}
