import styles from './brand-logo.module.css';
import { LogoMark } from './logo-mark.tsx';

/** The brand's name as a logo, 24 px high. A partner's name doesn't have a symbol. */
export function BrandLogo({ name, hasMark = true }: { name: string; hasMark?: boolean }) {
  return (
    <span className={styles.logo}>
      {hasMark && <LogoMark />}
      {name}
    </span>
  );
}
