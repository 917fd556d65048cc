import { TextLink } from '../ui/text-link.tsx';
import styles from './shell.module.css';
import { sandboxUrl } from '../lib/settings.ts';

/** Shown while any provider is simulated, so that no one mistakes sandbox money for real money. */
export function SandboxBanner() {
  const url = sandboxUrl();
  if (url === '') return null;
  return (
    <aside className={styles.sandbox} aria-label="Sandbox">
      Sandbox: no real money moves and nothing is sent to HMRC.{' '}
      <TextLink href={url} target="_blank" rel="noreferrer">
        Open the sandbox
      </TextLink>
    </aside>
  );
}
