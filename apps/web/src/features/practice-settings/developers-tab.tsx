import { PAGES } from '@portal/contract/pages.ts';
import { ApiKeysCard } from '../../components/developers/api-keys-card.tsx';
import { ConnectedAppsCard } from '../../components/developers/connected-apps-card.tsx';
import { WebhooksCard } from '../../components/developers/webhooks-card.tsx';
import type { PracticeProfile } from '../../lib/practice-profile.ts';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './settings.module.css';

/** Access for apps: each user's own assistant and, for admins, API keys and webhooks. */
export function DevelopersTab({ profile }: { profile: PracticeProfile }) {
  if (profile.role !== 'admin') {
    return (
      <Stack gap={24} className={styles.tab}>
        <ConnectedAppsCard companyId={profile.company_id} />
        <SectionCard title="API keys and webhooks">
          <Text>
            Only admins can create API keys and webhooks. Ask an admin of your practice, or read{' '}
            <TextLink to={PAGES.developers.path}>how to use the API</TextLink>.
          </Text>
        </SectionCard>
      </Stack>
    );
  }
  return (
    <Stack gap={24} className={styles.tab}>
      <ConnectedAppsCard companyId={profile.company_id} />
      <ApiKeysCard of="practice" companyId={profile.company_id} />
      <WebhooksCard of="practice" companyId={profile.company_id} />
    </Stack>
  );
}
