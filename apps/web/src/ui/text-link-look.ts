/** The style of a link within text. Kept apart from TextLink, which needs the router, because prerendered pages don't load it. */
import clsx from 'clsx';
import styles from './text-link.module.css';

type TextLinkLook = {
  /** Uses the colour of the surrounding text. */
  inheritsColour?: boolean;
  /** For a button that looks like a link. */
  isButton?: boolean;
};

export function getTextLinkClass({ inheritsColour = false, isButton = false }: TextLinkLook = {}): string {
  return clsx(styles.link, inheritsColour && styles.inherit, isButton && styles.button);
}
