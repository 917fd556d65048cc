import { getBrandName } from '../lib/settings.ts';
import { LogoMark } from '../ui/logo-mark.tsx';
import styles from './shell.module.css';

/** The brand's name as a logo, 24 px high. */
export function Logo() {
  return (
    <span className={styles.logo}>
      <LogoMark />
      {getBrandName()}
    </span>
  );
}
