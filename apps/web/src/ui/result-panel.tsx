import clsx from 'clsx';
import { useEffect, useRef, type ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { Stack } from './layout.tsx';
import styles from './result-panel.module.css';
import { Heading } from './text.tsx';

const ICONS = { success: 'checkCircle', info: 'info', warning: 'warning', error: 'errorCircle' } as const satisfies Record<
  string,
  IconName
>;

type ResultPanelProps = {
  tone: keyof typeof ICONS;
  title: string;
  /** Whether the panel is the result of the user's own action. If so, it is scrolled into view and its heading receives the focus. */
  isNew: boolean;
  /** The meaning of the status, and the next step. */
  children: ReactNode;
};

/** The status of the page's subject or, after an action, its result. */
export function ResultPanel({ tone, title, isNew, children }: ResultPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isNew) return undefined;
    // Wait until the dialog that started the action has restored the focus.
    const timer = setTimeout(() => {
      panel.current?.scrollIntoView({ block: 'start' });
      heading.current?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [isNew, title]);
  return (
    <div ref={panel} className={clsx(styles.panel, styles[tone])}>
      <Icon name={ICONS[tone]} tone={tone} />
      <Stack gap={8} align="start">
        <Heading level={2} ref={heading} tabIndex={-1}>
          {title}
        </Heading>
        {children}
      </Stack>
    </div>
  );
}
