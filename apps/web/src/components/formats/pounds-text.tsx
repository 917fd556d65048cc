/** An amount in whole pounds that shows its pence while the link or button around it is hovered or focused. */
import { formatPounds, pence, toWholePounds, type Pence } from '@portal/domain/money.ts';
import styles from './pounds-text.module.css';

/** Formats whole pounds: "−£1,235". */
export function formatWholePounds(amount: Pence): string {
  return formatPounds(pence(toWholePounds(amount, 'half-away') * 100)).replace(/\.00$/, '');
}

/**
 * Both texts take up the same space, to avoid a layout shift. The link or button around them makes the pence reachable with the keyboard.
 */
export function PoundsText({ amount }: { amount: Pence }) {
  return (
    <span className={styles.pounds}>
      <span className={styles.whole}>{formatWholePounds(amount)}</span>
      <span className={styles.exact}>{formatPounds(amount)}</span>
    </span>
  );
}
