/** Hints for the demo, and HMRC's question in the story that has one. */
import { PAGES } from '@portal/contract/pages.ts';
import { useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import type { Story } from '../../features/demo/stories/story.ts';
import type { StoryClock } from '../../features/demo/story-clock.ts';
import { Notice } from '../../ui/notice.tsx';
import styles from './demo-guide.module.css';

export function DemoGuide({ clock, story }: { clock: StoryClock; story: Story }) {
  const { pathname } = useLocation();
  useSyncExternalStore(clock.subscribe, clock.now);
  const isAsked = clock.getLastMoment().what === 'query';
  const isDashboard = pathname === PAGES.dashboard.path;
  if (!isAsked && !isDashboard) return null;
  return (
    <section aria-label="Demo guide" className={styles.guide}>
      {isAsked && story.hmrcQuestion !== undefined && (
        <Notice tone="warning" title="HMRC has asked about this refund" role="status">
          <blockquote className={styles.question}>“{story.hmrcQuestion}”</blockquote>
          Reply to HMRC directly: its 30-day clock pauses until you do. You keep the money we paid you. HMRC contacts you rather than us, so
          in a real account your to-do list reminds you once the repayment is late.
        </Notice>
      )}
      {isDashboard && (
        <details open className={styles.steps}>
          <summary>What to try in this demo</summary>
          <ol>
            <li>Check the figures and file the VAT return.</li>
            <li>See how much you’d be paid, and accept the offer.</li>
            <li>Use the bar at the bottom to move to the next stage, or choose another story.</li>
          </ol>
        </details>
      )}
    </section>
  );
}
