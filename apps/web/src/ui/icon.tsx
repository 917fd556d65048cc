import clsx from 'clsx';
import { ICON_PATHS, type IconName } from './icon-paths.ts';
import styles from './icon.module.css';
import { getToneClass, type Tone } from './tone.ts';

export type { IconName } from './icon-paths.ts';

type IconProps = {
  name: IconName;
  /** Defaults to the text colour. */
  tone?: Tone | undefined;
  /** Width and height in px. Default: 24. */
  size?: number;
  /** The accessible name. Without one, the icon is decorative. */
  title?: string | undefined;
  className?: string | undefined;
};

export function Icon({ name, tone, size, title, className }: IconProps) {
  return (
    <svg
      className={clsx(styles.icon, tone !== undefined && getToneClass(tone), className)}
      viewBox="0 0 24 24"
      focusable="false"
      {...(title === undefined ? { 'aria-hidden': true } : { role: 'img' })}
      {...(size === undefined ? {} : { style: { fontSize: size } })}
    >
      {title !== undefined && <title>{title}</title>}
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}
