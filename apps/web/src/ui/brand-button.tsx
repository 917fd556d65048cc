import { BrandMark, type Brand } from './brand-mark.tsx';
import { Button } from './button.tsx';
import styles from './brand-button.module.css';

const DEFAULT_LABELS: Readonly<Record<Brand, string>> = {
  microsoft: 'Sign in with Microsoft',
  google: 'Sign in with Google',
  xero: 'Sign in with Xero',
  hmrc: 'Sign in with HMRC',
  quickbooks: 'Sign in with QuickBooks',
  freeagent: 'Sign in with FreeAgent',
  email: 'Sign in with email',
};

type BrandButtonProps = {
  brand: Brand;
  /** Replaces the default label "Sign in with Xero". */
  label?: string;
  /** Filled for the main action of a screen, outlined otherwise. */
  filled?: boolean;
  /** 48 px high, or 36 px when small (docs/product/specification.md section 9). */
  size?: 'large' | 'small';
  /** Whether the section that the button toggles is expanded. */
  expanded?: boolean;
} & ({ href: string } | { onClick: () => void });

/** A brand's sign-in button, filled or outlined (docs/product/specification.md section 2.6). */
export function BrandButton({
  brand,
  label = DEFAULT_LABELS[brand],
  filled = false,
  size = 'large',
  expanded,
  ...action
}: BrandButtonProps) {
  return (
    <Button
      {...action}
      aria-expanded={expanded}
      size={size}
      variant={filled ? 'filled' : 'outlined'}
      tone={filled ? 'primary' : 'neutral'}
      fit="wide"
      startAligned
      className={styles.brandButton}
    >
      {filled && brand !== 'email' ? (
        // The brand colours need a white background on our filled button.
        <span className={styles.markOnFill}>
          <BrandMark brand={brand} />
        </span>
      ) : (
        <BrandMark brand={brand} />
      )}
      {label}
    </Button>
  );
}
