import styles from './spinner.module.css';

/** A spinner. The text beside it should say what is in progress. */
export function Spinner({ size = 24 }: { size?: number }) {
  return (
    <svg className={styles.spinner} width={size} height={size} viewBox="22 22 44 44" aria-hidden="true" focusable="false">
      <circle cx="44" cy="44" r="20" fill="none" stroke="currentColor" strokeWidth="4" strokeLinecap="round" strokeDasharray="80 200" />
    </svg>
  );
}
