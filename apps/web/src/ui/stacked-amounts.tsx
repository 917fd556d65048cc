import clsx from 'clsx';
import { Fragment } from 'react';
import { Stack } from './layout.tsx';
import styles from './stacked-amounts.module.css';
import { Text } from './text.tsx';

type AmountStack = {
  readonly key: string;
  readonly title: string;
  readonly lines: readonly { readonly name: string; readonly value: string; readonly strong?: boolean }[];
};

/** Table rows for narrow screens: each row's amounts below its name, without horizontal scrolling. */
export function StackedAmounts({ stacks, label }: { stacks: readonly AmountStack[]; label: string }) {
  return (
    <Stack as="ul" gap={0} aria-label={label}>
      {stacks.map(({ key, title, lines }) => (
        <li key={key} className={styles.stack}>
          <Text weight="bold">{title}</Text>
          <dl className={styles.amounts}>
            {lines.map(({ name, value, strong = false }) => (
              <Fragment key={name}>
                <dt className={styles.name}>{name}</dt>
                <dd className={clsx(styles.value, strong && styles.strong)}>{value}</dd>
              </Fragment>
            ))}
          </dl>
        </li>
      ))}
    </Stack>
  );
}
