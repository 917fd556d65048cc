import clsx from 'clsx';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Link, type LinkProps } from './link.tsx';
import { getTextLinkClass } from './text-link-look.ts';

type TextLinkLook = {
  children: ReactNode;
  className?: string | undefined;
  /** Uses the colour of the surrounding text. */
  inheritsColour?: boolean;
};
type Unstyled<Props> = Omit<Props, 'className' | 'children'>;

type TextLinkProps = TextLinkLook &
  (
    | (Unstyled<LinkProps> & { href?: undefined })
    | (Unstyled<AnchorHTMLAttributes<HTMLAnchorElement>> & { href: string; to?: undefined; ref?: Ref<HTMLAnchorElement> })
    | (Unstyled<ButtonHTMLAttributes<HTMLButtonElement>> & { href?: undefined; to?: undefined; ref?: Ref<HTMLButtonElement> })
  );

/**
 * An underlined link within text: `to` is a page of the app, `href` any other URL. Without either, it is a button that looks like a link.
 */
export function TextLink({ className, inheritsColour = false, ...props }: TextLinkProps) {
  const classes = clsx(getTextLinkClass({ inheritsColour }), className);
  if (props.to !== undefined) return <Link {...props} className={classes} />;
  if (props.href !== undefined) {
    const { children, ...anchor } = props;
    return (
      <a {...anchor} className={classes}>
        {children}
      </a>
    );
  }
  const buttonClasses = clsx(getTextLinkClass({ inheritsColour, isButton: true }), className);
  return <button type="button" {...(props as ButtonHTMLAttributes<HTMLButtonElement>)} className={buttonClasses} />;
}
