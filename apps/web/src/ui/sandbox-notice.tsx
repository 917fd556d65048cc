import styles from './sandbox-notice.module.css';
import { getTextLinkClass } from './text-link-look.ts';

/** The simulators' index page, and what is simulated. */
export type Sandbox = { readonly url: string; readonly text: string };

/** Placeholders for prerendered pages, which the server fills in. */
export const SANDBOX_PLACEHOLDERS: Sandbox = { url: '%PORTAL_SANDBOX%', text: '%PORTAL_SANDBOX_TEXT%' };

/**
 * Shown on prerendered pages while any provider is simulated. Always part of the markup, because the server knows what is simulated only
 * after prerendering. CSS hides the notice if nothing is.
 */
export function SandboxNotice({ url, text }: Sandbox) {
  return (
    <aside className={styles.notice} data-text={text} aria-label="Sandbox">
      {text}{' '}
      <a href={url} target="_blank" rel="noreferrer" className={getTextLinkClass()}>
        Open the sandbox
      </a>
    </aside>
  );
}
