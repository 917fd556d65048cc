import clsx from 'clsx';
import type { CSSProperties } from 'react';
import { BrandMark, WORD_MARKS } from './brand-mark.tsx';
import { Button } from './button.tsx';
import styles from './accounting-provider-button.module.css';

type AccountingProviderButtonProps = {
  /** Replaces the default label "Sign in with Xero", for example with "Sign up with Xero". */
  label?: string;
  /** Fills the button with the provider's colour, for the main action of a screen. */
  filled?: boolean;
  size?: 'large' | 'small';
  fullWidth?: boolean;
} & ({ href: string } | { onClick: () => void });

const { colour, hover } = WORD_MARKS.xero;

/**
 * The accounting provider's sign-in button. Its logo has three variants: default, filled, and hover or focus (docs/product/specification.md
 * section 2.6).
 */
export function AccountingProviderButton(props: AccountingProviderButtonProps) {
  const { label = 'Sign in with Xero', filled = false, size = 'large', fullWidth = true, ...action } = props;
  return (
    <span className={fullWidth ? styles.wide : undefined} style={{ '--brand': colour, '--brand-hover': hover } as CSSProperties}>
      <Button
        {...action}
        size={size}
        variant={filled ? 'filled' : 'outlined'}
        tone="neutral"
        fit={fullWidth ? 'wide' : undefined}
        startAligned
        className={clsx(styles.providerButton, filled && styles.filled)}
      >
        {filled ? (
          <BrandMark brand="xero" look="filled" />
        ) : (
          (['default', 'hover'] as const).map((look) => (
            <span key={look} className={styles[look]}>
              <BrandMark brand="xero" look={look} />
            </span>
          ))
        )}
        {label}
      </Button>
    </span>
  );
}
