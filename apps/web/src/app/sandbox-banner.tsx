import './shell.css';
import '../ui/plain.css';
import { sandboxUrl } from '../lib/settings.ts';

/** Shown while any provider is simulated, so that no one mistakes sandbox money for real money. */
export function SandboxBanner() {
  const url = sandboxUrl();
  if (url === '') return null;
  return (
    <aside className="p-sandbox" aria-label="Sandbox">
      Sandbox: no real money moves, nothing reaches HMRC.{' '}
      <a className="p-link" href={url} target="_blank" rel="noreferrer">
        Open the sandbox
      </a>
    </aside>
  );
}
