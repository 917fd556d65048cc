import { Fragment, type ReactNode } from 'react';
import styles from './fact-list.module.css';

export type Fact = { readonly label: string; readonly value: ReactNode };

/** Facts as pairs of a label and a value, stacked on small screens. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, value }) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
