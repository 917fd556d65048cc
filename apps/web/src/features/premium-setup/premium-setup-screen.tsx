/**
 * Selects the connections that a practice pays for, updating the tier and price as the selection changes. Every click saves the selection.
 */
import { practiceApi } from '@portal/contract/practice.ts';
import { useQuery } from '@tanstack/react-query';
import { NoPracticeCard } from '../../components/practice/no-practice-card.tsx';
import { PracticeNav } from '../../components/practice/practice-nav.tsx';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { ConnectionPicker } from './connection-picker.tsx';
import styles from './premium-setup.module.css';
import { PriceCard } from './price-card.tsx';

const TITLE = 'Plan and price';

export function PremiumSetupScreen() {
  const { companyId, isSettled } = useCompanyId();
  const [search] = useSearchParams();
  const profile = useQuery({ ...apiQuery(practiceApi.accountantProfile, { company_id: companyId }), enabled: companyId !== '' });
  if ((isSettled && companyId === '') || profile.error?.status === 404) return <NoPracticeCard title={TITLE} />;
  const isExternal = search.get('external_user') === '1';
  return (
    <Page
      title={TITLE}
      maxWidth="full"
      lead="Choose which connections to pay for. A connection is one client for one tax."
      before={isExternal ? undefined : <PracticeNav companyId={companyId} />}
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
    </Page>
  );
}
