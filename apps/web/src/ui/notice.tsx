import './plain.css';
import type { ReactNode } from 'react';
import type { IconName } from './icon-paths.ts';
import { PlainIcon } from './plain-icon.tsx';

export type NoticeTone = 'success' | 'warning' | 'error' | 'info';

const ICONS: Readonly<Record<NoticeTone, IconName>> = { success: 'checkCircle', warning: 'warning', error: 'errorCircle', info: 'info' };

type NoticeProps = {
  tone: NoticeTone;
  title: string;
  children?: ReactNode;
  /** `alert` for the result of a click, `status` for changes that happen by themselves. Without a role the notice is not announced. */
  role?: 'alert' | 'status';
};

/** A message in the page: what happened, what it means, what to do. */
export function Notice({ tone, title, children, role }: NoticeProps) {
  const hasBody = children !== undefined;
  return (
    <div
      role={role}
      className={hasBody ? `p-notice p-soft-${tone}` : 'p-notice'}
      style={hasBody ? { borderColor: `var(--${tone}-tone)` } : undefined}
    >
      <PlainIcon name={ICONS[tone]} tone={tone} />
      <div>
        <p className="p-notice-title">{title}</p>
        {hasBody && <div className="p-notice-body">{children}</div>}
      </div>
    </div>
  );
}
