import { useSearchParams } from '../../lib/search-params.ts';
import { readProviderOutcome } from '../../lib/sign-in-providers.ts';
import { Notice } from '../../ui/notice.tsx';
import styles from './provider-notice.module.css';

/** The outcome of signing in with a provider, shown after the browser returns. */
export function ProviderNotice() {
  const [search] = useSearchParams();
  const outcome = readProviderOutcome(search);
  if (outcome === undefined) return null;
  return (
    <div className={styles.notice}>
      <Notice tone={outcome.tone} title={outcome.title} role={outcome.tone === 'error' ? 'alert' : 'status'}>
        {outcome.text}
      </Notice>
    </div>
  );
}
