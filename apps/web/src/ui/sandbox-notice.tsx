import styles from './sandbox-notice.module.css';
import { getTextLinkClass } from './text-link-look.ts';

/**
 * Shown on prerendered pages while any provider is simulated. It is always in the markup, because the server knows the address only after
 * prerendering; CSS hides it if there is none.
 */
export function SandboxNotice({ url }: { url: string }) {
  return (
    <aside className={styles.notice} data-url={url} aria-label="Sandbox">
      Sandbox: no real money moves and nothing is sent to HMRC.{' '}
      <a href={url} target="_blank" rel="noreferrer" className={getTextLinkClass()}>
        Open the sandbox
      </a>
    </aside>
  );
}
