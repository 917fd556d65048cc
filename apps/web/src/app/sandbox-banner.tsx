import { TextLink } from '../ui/text-link.tsx';
import { getSandboxName } from '../lib/settings.ts';
import styles from './shell.module.css';

/** Shown while any provider is simulated, so that no one mistakes sandbox money for real money. */
export function SandboxBanner() {
  const { url, text } = getSandboxName();
  if (text === '') return null;
  return (
    <aside className={styles.sandbox} data-text={text} aria-label="Sandbox">
      {text}
      {url !== '' && (
        <>
          {' '}
          <TextLink href={url} target="_blank" rel="noreferrer">
            Open the sandbox
          </TextLink>
        </>
      )}
    </aside>
  );
}
