/** Buttons without MUI, for what is drawn before MUI is there: the shell and the dashboard. */
import './plain-button.css';
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import { Spinner } from './spinner.tsx';

type Look = {
  variant?: 'contained' | 'outlined' | 'text' | undefined;
  size?: 'small' | 'medium' | 'large' | undefined;
  /** `error` is for outlined ones. */
  color?: 'primary' | 'error' | undefined;
  /** `flush`: its words stand at the left edge of what is above and below it. `wide`: it fills its line. */
  fit?: 'flush' | 'wide' | undefined;
};

/** The classes of a button's look, for an element that is neither of the two below. */
export function buttonLook({ variant = 'contained', size = 'large', color = 'primary', fit }: Look): string {
  return `p-button is-${variant} is-${size} is-${color}${fit === undefined ? '' : ` is-${fit}`}`;
}

/** A link to a page of ours that looks like a button. */
export function LinkButton({ variant, size, color, fit, ...props }: Look & Omit<LinkProps, 'className' | 'color'>) {
  return <Link {...props} className={buttonLook({ variant, size, color, fit })} />;
}

type PlainButtonProps = Look &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'color'> & { isBusy?: boolean; children: ReactNode };

/** While it is busy it turns and cannot be pressed again. */
export function PlainButton({ variant, size, color, fit, isBusy = false, disabled = false, children, ...props }: PlainButtonProps) {
  return (
    <button type="button" {...props} disabled={disabled || isBusy} className={buttonLook({ variant, size, color, fit })}>
      {isBusy && <Spinner size={16} />}
      {children}
    </button>
  );
}
