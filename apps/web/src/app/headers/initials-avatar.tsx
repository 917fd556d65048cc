import { getInitials } from '../../lib/initials.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from '../shell.module.css';

const TONES = {
  dark: { backgroundColor: 'var(--secondary-fill)', color: 'var(--secondary-onFill)' },
  // The colours are swapped in dark mode, where the soft background would otherwise be the darker one.
  light: {
    backgroundColor: 'light-dark(var(--secondary-soft), var(--secondary-tone))',
    color: 'light-dark(var(--secondary-tone), var(--secondary-main))',
  },
} as const;

/**
 * Shows up to two initials in a circle of 35 px (docs/product/specification.md section 9), or the outline of a person if the name is
 * unknown.
 */
export function InitialsAvatar({ name, tone = 'dark' }: { name: string; tone?: keyof typeof TONES }) {
  const initials = getInitials(name);
  return (
    <div className={styles.avatar} style={TONES[tone]}>
      {initials === '' ? <Icon name="person" size={22} /> : initials}
    </div>
  );
}
