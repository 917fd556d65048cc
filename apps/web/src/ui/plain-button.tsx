/** Buttons without MUI, for what is rendered before MUI is loaded: the shell and the dashboard. */
import './plain-button.css';
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import { Spinner } from './spinner.tsx';

type ButtonStyle = {
  variant?: 'contained' | 'outlined' | 'text' | undefined;
  size?: 'small' | 'medium' | 'large' | undefined;
  /** `error` is for outlined buttons only. */
  color?: 'primary' | 'error' | undefined;
  /** `flush`: the label is aligned with the text above and below. `wide`: the full width of the line. */
  fit?: 'flush' | 'wide' | undefined;
};

/** The classes of a button, for other elements that should look like one. */
export function getButtonClass({ variant = 'contained', size = 'large', color = 'primary', fit }: ButtonStyle): string {
  return `p-button is-${variant} is-${size} is-${color}${fit === undefined ? '' : ` is-${fit}`}`;
}

/** A router link that looks like a button. */
export function LinkButton({ variant, size, color, fit, ...props }: ButtonStyle & Omit<LinkProps, 'className' | 'color'>) {
  return <Link {...props} className={getButtonClass({ variant, size, color, fit })} />;
}

type PlainButtonProps = ButtonStyle &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'color'> & { isBusy?: boolean; children: ReactNode };

/** Shows a spinner and is disabled while busy. */
export function PlainButton({ variant, size, color, fit, isBusy = false, disabled = false, children, ...props }: PlainButtonProps) {
  return (
    <button type="button" {...props} disabled={disabled || isBusy} className={getButtonClass({ variant, size, color, fit })}>
      {isBusy && <Spinner size={16} />}
      {children}
    </button>
  );
}
