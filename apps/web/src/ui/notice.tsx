import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { getSoftClass } from './tone.ts';
import styles from './notice.module.css';

export type NoticeTone = 'success' | 'warning' | 'error' | 'info';

const ICONS: Readonly<Record<NoticeTone, IconName>> = { success: 'checkCircle', warning: 'warning', error: 'errorCircle', info: 'info' };

type NoticeProps = {
  tone: NoticeTone;
  title: string;
  children?: ReactNode;
  /** `alert` for the result of a click, `status` for automatic changes. Without a role the notice isn't announced. */
  role?: 'alert' | 'status';
};

/** A message in the page: what happened, what it means, and what to do. */
export function Notice({ tone, title, children, role }: NoticeProps) {
  const hasBody = children !== undefined;
  return (
    <div role={role} className={clsx(styles.notice, hasBody ? [styles[tone], getSoftClass(tone)] : styles.plain)}>
      <Icon name={ICONS[tone]} tone={tone} />
      <div className={styles.content}>
        <p className={styles.title}>{title}</p>
        {hasBody && <div className={styles.body}>{children}</div>}
      </div>
    </div>
  );
}
