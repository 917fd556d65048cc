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
  /** `alert` for what a click has just led to, `status` for what changes by itself; without it the notice is read in its place. */
  role?: 'alert' | 'status';
};

/** One matter in its place on the page: what happened, what it means, the way out. */
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
