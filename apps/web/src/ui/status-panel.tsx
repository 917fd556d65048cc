import type { ReactNode } from 'react';
import { focusResult } from '../lib/focus-result.ts';
import { Button } from './button.tsx';
import { StateIcon, type PanelState } from './state-icon.tsx';
import styles from './status-panel.module.css';

type StatusPanelProps = {
  state: PanelState;
  heading?: string;
  subHeading?: ReactNode;
  children?: ReactNode;
  /** The level that fits the page's outline, for example 2 below a Page's title. */
  headingLevel?: 1 | 2 | 3;
  /** Whether the panel is the result of the user's own action. If so, it is scrolled into view and its heading receives the focus. */
  isResult?: boolean;
  onContinue?: (() => void) | undefined;
  continueLabel?: string;
  onSkip?: (() => void) | undefined;
  skipLabel?: string;
};

/** The outcome of an operation: an icon, a heading, what it means and what to do (docs/product/specification.md section 2.6). */
export function StatusPanel(props: StatusPanelProps) {
  const {
    state,
    heading,
    subHeading,
    children,
    headingLevel = 2,
    isResult = false,
    onContinue,
    continueLabel = 'Continue',
    onSkip,
    skipLabel = 'Skip',
  } = props;
  const HeadingElement = `h${headingLevel}` as const;
  return (
    <div role={state === 'error' ? 'alert' : 'status'} aria-busy={state === 'loading'} className={styles.panel}>
      <StateIcon state={state} isNamed={heading === undefined} />
      {heading !== undefined && (
        <HeadingElement className={styles.heading} {...(isResult ? { tabIndex: -1, ref: focusResult } : {})}>
          {heading}
        </HeadingElement>
      )}
      {subHeading !== undefined && <div className={styles.subHeading}>{subHeading}</div>}
      {children !== undefined && <div className={styles.content}>{children}</div>}
      {(onContinue !== undefined || onSkip !== undefined) && (
        <div className={styles.actions}>
          {onContinue !== undefined && (
            <Button fit="wide" onClick={onContinue} disabled={state === 'loading'}>
              {continueLabel}
            </Button>
          )}
          {onSkip !== undefined && state !== 'loading' && (
            <Button fit="wide" variant="text" onClick={onSkip}>
              {skipLabel}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
