import styles from './divider.module.css';

/** A line between two parts. */
export function Divider() {
  return <hr className={styles.divider} />;
}
