/** The practice's connections that provide the client's figures. */
import { getSettingsPath } from '@portal/contract/practice.ts';
import { syncApi } from '@portal/contract/sync.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './connections-card.module.css';

const PROVIDERS = { hmrc: 'HMRC agent services', companies_house: 'Companies House' } as const;
const STATES = { not_connected: 'Not connected', connected: 'Connected', lapsed: 'Ended', declined: 'Declined at HMRC' } as const;

export function ConnectionsCard({ companyId }: { companyId: string }) {
  const query = useQuery(apiQuery(syncApi.accountantConnections, { company_id: companyId }));
  return (
    <SectionCard title="Connections">
      <LoadState query={query} skeleton={<TableSkeleton rows={2} />}>
        {({ connections }) => (
          <FactList
            facts={connections.map((connection) => ({
              label: PROVIDERS[connection.provider],
              value: (
                <>
                  {STATES[connection.status]}
                  {connection.status === 'connected' && connection.connected_at !== null && (
                    <>
                      {' since '}
                      <InstantText at={connection.connected_at} />
                    </>
                  )}
                </>
              ),
            }))}
          />
        )}
      </LoadState>
      <Text size="small" className={styles.note}>
        Your practice uses these connections for all its clients.{' '}
        <TextLink to={`${getSettingsPath('connections')}?${new URLSearchParams({ company_id: companyId })}`}>Manage connections</TextLink>
      </Text>
    </SectionCard>
  );
}
