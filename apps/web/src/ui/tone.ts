import type { Role } from '../core/tokens.ts';
import styles from './tone.module.css';

/** A colour role of the design tokens. Colour never carries meaning alone: always add a word or an icon. */
export type Tone = Role;

/** Returns the class that colours text and icons. Their contrast is at least 4.5:1 on every surface. */
export const getToneClass = (tone: Tone): string | undefined => styles[tone];

const SOFT_CLASSES = {
  primary: styles.softPrimary,
  secondary: styles.softSecondary,
  error: styles.softError,
  success: styles.softSuccess,
  warning: styles.softWarning,
  info: styles.softInfo,
} as const;

/** Returns the class of the quiet background of a chip or panel. */
export const getSoftClass = (tone: Tone): string | undefined => SOFT_CLASSES[tone];
