import clsx from 'clsx';
import type { ReactNode } from 'react';
import styles from './detail-list.module.css';

export type Detail = { readonly name: string; readonly value: ReactNode; readonly strong?: boolean };

/** Names on the left, values right-aligned, with lines in between. */
export function DetailList({ details }: { details: readonly Detail[] }) {
  return (
    <dl className={styles.list}>
      {details.map(({ name, value, strong = false }) => (
        <div key={name} className={clsx(styles.detail, strong && styles.strong)}>
          <dt>{name}</dt>
          <dd className={styles.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
