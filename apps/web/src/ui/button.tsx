import clsx from 'clsx';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Link, type LinkProps } from 'react-router';
import styles from './button.module.css';
import { Spinner } from './spinner.tsx';

export type ButtonLook = {
  /** One filled button a screen: its main action. Default: filled. */
  variant?: 'filled' | 'outlined' | 'text' | undefined;
  /** 48 px high, or 36 px when small (docs/product/specification.md section 9). */
  size?: 'large' | 'small' | undefined;
  tone?: 'primary' | 'secondary' | 'error' | 'neutral' | undefined;
  /** `flush`: the label lines up with the text above and below. `wide`: the full width. */
  fit?: 'flush' | 'wide' | undefined;
  /** The label starts at the left instead of the centre. */
  startAligned?: boolean | undefined;
};

/** The classes of a button, for elements that the components below can't render. */
export function getButtonClass({ variant = 'filled', size = 'large', tone = 'primary', fit, startAligned = false }: ButtonLook): string {
  return clsx(
    styles.button,
    styles[tone],
    styles[variant],
    size === 'small' && styles.small,
    fit !== undefined && styles[fit],
    startAligned && styles.start,
  );
}

type Content = { children: ReactNode; className?: string | undefined };
type Unstyled<Props> = Omit<Props, 'className' | 'color' | 'children'>;

type NativeButtonProps = ButtonLook &
  Content &
  Unstyled<ButtonHTMLAttributes<HTMLButtonElement>> & {
    /** Shows a spinner and disables the button. */
    isBusy?: boolean;
    ref?: Ref<HTMLButtonElement>;
    to?: undefined;
    href?: undefined;
  };
type RouterLinkProps = ButtonLook & Content & Unstyled<LinkProps> & { href?: undefined };
type AnchorProps = ButtonLook & Content & Unstyled<AnchorHTMLAttributes<HTMLAnchorElement>> & { href: string; to?: undefined };

export type ButtonProps = NativeButtonProps | RouterLinkProps | AnchorProps;

/** A button, or a link that looks like one: `to` leads to a page of the app, `href` to any other address. */
export function Button({ variant, size, tone, fit, startAligned, className, ...props }: ButtonProps) {
  const classes = clsx(getButtonClass({ variant, size, tone, fit, startAligned }), className);
  if (props.to !== undefined) return <Link {...props} className={classes} />;
  if (props.href !== undefined) return <a {...props} className={classes} />;
  const { isBusy = false, disabled = false, children, ...rest } = props;
  return (
    <button type="button" {...rest} disabled={disabled || isBusy} className={classes}>
      {isBusy && <Spinner size={16} />}
      {children}
    </button>
  );
}

/** The class of a round button with an icon, for links that look like one. */
export const getIconButtonClass = (): string => clsx(styles.iconButton);

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> & {
  /** The accessible name. */
  label: string;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
};

/** A round button with an icon or avatar. */
export function IconButton({ label, className, ...props }: IconButtonProps) {
  return <button type="button" {...props} aria-label={label} className={clsx(styles.iconButton, className)} />;
}
