/** Button styles. Kept apart from the components, which need the router, because prerendered pages don't load it. */
import clsx from 'clsx';
import styles from './button.module.css';

export type ButtonLook = {
  /** Use one filled button per screen, for its main action. Default: filled. */
  variant?: 'filled' | 'outlined' | 'text' | undefined;
  /** 48 px high, or 36 px when small (docs/product/specification.md section 9). */
  size?: 'large' | 'small' | undefined;
  tone?: 'primary' | 'secondary' | 'error' | 'neutral' | undefined;
  /** `flush`: the label lines up with the text above and below. `wide`: the full width. */
  fit?: 'flush' | 'wide' | undefined;
  /** Aligns the label to the left instead of the centre. */
  startAligned?: boolean | undefined;
};

/** Returns a button's classes, for elements that the components of button.tsx can't render. */
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

/** Returns the class of a round button with an icon, for links that look like one. */
export const getIconButtonClass = (): string => clsx(styles.iconButton);
