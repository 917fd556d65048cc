/**
 * Selects the connections that a practice pays for, updating the tier and price as the selection changes. Every click saves the selection.
 */
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { useCompanyId } from '../../lib/company-id.ts';
import { usePracticeProfile } from '../../lib/practice-profile.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ConnectionPicker } from './connection-picker.tsx';
import styles from './premium-setup.module.css';
import { PriceCard } from './price-card.tsx';

const TITLE = 'Plan and price';

export function PremiumSetupScreen() {
  const { companyId } = useCompanyId();
  const [search] = useSearchParams();
  const profile = usePracticeProfile(companyId);
  const isExternal = search.get('external_user') === '1';
  return (
    <PracticePage
      title={TITLE}
      maxWidth="full"
      lead="Choose which connections to pay for. A connection is one client for one tax."
      hidesNavigation={isExternal}
    >
      <LoadState query={profile}>
        {({ role }) =>
          role === 'admin' ? (
            <div className={styles.columns}>
              <ConnectionPicker companyId={companyId} />
              <PriceCard companyId={companyId} />
            </div>
          ) : (
            <Notice tone="info" title="Only admins choose the plan">
              Ask an admin of your practice to choose which connections it pays for.
            </Notice>
          )
        }
      </LoadState>
    </PracticePage>
  );
}
