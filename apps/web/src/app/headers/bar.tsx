import clsx from 'clsx';
import type { ReactNode } from 'react';
import styles from '../shell.module.css';

type BarProps = {
  children: ReactNode;
  /** Whether the header is hidden on small screens, as on most v2 pages. */
  hiddenWhenSmall?: boolean;
};

/** The white bar used by every header. From 768 px, it is 81 px high including its border (docs/product/specification.md section 9). */
export function Bar({ children, hiddenWhenSmall = false }: BarProps) {
  return <header className={clsx(styles.bar, hiddenWhenSmall && styles.hiddenWhenSmall)}>{children}</header>;
}
