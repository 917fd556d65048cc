import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Icon } from '../ui/icon.tsx';
import { getSoftClass } from '../ui/tone.ts';
import styles from './notice-bar.module.css';

type NoticeBarProps = {
  tone: 'info' | 'warning' | 'error';
  /** The name of the landmark. */
  label: string;
  title: ReactNode;
  children: ReactNode;
  action?: ReactNode;
};

const ICONS = { info: 'info', warning: 'warning', error: 'errorCircle' } as const;

/** A notice above every page, from edge to edge: what happened, what it means, and how to fix it. */
export function NoticeBar({ tone, label, title, children, action }: NoticeBarProps) {
  return (
    <aside className={clsx(styles.notice, getSoftClass(tone))} aria-label={label}>
      <Icon name={ICONS[tone]} tone={tone} />
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        <p>{children}</p>
      </div>
      {action}
    </aside>
  );
}
