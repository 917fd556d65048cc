import clsx from 'clsx';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Link, type LinkProps } from './link.tsx';
import { getButtonClass, getIconButtonClass, type ButtonLook } from './button-look.ts';
import { Spinner } from './spinner.tsx';

type ButtonContent = { children: ReactNode; className?: string | undefined };
type UnstyledProps<Props> = Omit<Props, 'className' | 'color' | 'children'>;

export type NativeButtonProps = ButtonLook &
  ButtonContent &
  UnstyledProps<ButtonHTMLAttributes<HTMLButtonElement>> & {
    /** Shows a spinner and disables the button. */
    isBusy?: boolean;
    ref?: Ref<HTMLButtonElement>;
    to?: undefined;
    href?: undefined;
  };
type RouterLinkProps = ButtonLook & ButtonContent & UnstyledProps<LinkProps> & { href?: undefined };
type AnchorProps = ButtonLook & ButtonContent & UnstyledProps<AnchorHTMLAttributes<HTMLAnchorElement>> & { href: string; to?: undefined };

export type ButtonProps = NativeButtonProps | RouterLinkProps | AnchorProps;

/** A button, or a link that looks like one: `to` is a page of the app, `href` any other URL. */
export function Button({ variant, size, tone, fit, startAligned, className, ...props }: ButtonProps) {
  const classes = clsx(getButtonClass({ variant, size, tone, fit, startAligned }), className);
  if (props.to !== undefined) return <Link {...props} className={classes} />;
  if (props.href !== undefined) {
    const { children: label, ...anchor } = props;
    return (
      <a {...anchor} className={classes}>
        {label}
      </a>
    );
  }
  const { isBusy = false, disabled = false, children, ...rest } = props;
  return (
    <button type="button" {...rest} disabled={disabled || isBusy} className={classes}>
      {isBusy && <Spinner size={16} />}
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> & {
  /** The accessible name. */
  label: string;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
};

/** A round button showing an icon or avatar. */
export function IconButton({ label, className, ...props }: IconButtonProps) {
  return <button type="button" {...props} aria-label={label} className={clsx(getIconButtonClass(), className)} />;
}
