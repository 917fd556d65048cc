/** One line about the figures from HMRC. Its button expands the details for each tax. */
import { syncApi } from '@portal/contract/sync.ts';
import type { TaxRefreshStatus } from '@portal/contract/sync-status.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import { AGENT_TAXES } from '@portal/domain/uk-tax/tax.ts';
import { useQueries } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { useHmrcConnectionProblem } from '../../lib/use-hmrc-missing.ts';
import { useLiveSync } from '../../lib/use-live-sync.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './hmrc-status.module.css';

type HmrcStatusProps = { companyId: string; isOpen: boolean; onToggle: () => void; panelId: string };

export function HmrcStatus({ companyId, isOpen, onToggle, panelId }: HmrcStatusProps) {
  // The open panel has its own subscription to the refresh.
  const { isLive, refreshing } = useLiveSync(isOpen ? '' : companyId);
  const hmrcProblem = useHmrcConnectionProblem(companyId);
  const syncQueries = useQueries({
    queries: AGENT_TAXES.map((tax) => ({
      ...apiQuery(syncApi.syncData, { company_id: companyId, tax_type: tax }),
      enabled: companyId !== '',
    })),
  });
  const { text, isWarning } = describeHmrc({
    isMissing: hmrcProblem !== undefined,
    refreshing: AGENT_TAXES.flatMap((tax) => refreshing[tax] ?? []),
    data: syncQueries.flatMap(({ data }) => data ?? []),
    isPending: syncQueries.some(({ isPending }) => isPending),
  });
  return (
    <section aria-label="HMRC status" data-live={isLive} className={styles.status}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={onToggle}
        className={styles.button}
      >
        <Icon name={isWarning ? 'warning' : 'refresh'} tone={isWarning ? 'warning' : undefined} size={16} />
        <span aria-hidden className={styles.short}>
          HMRC
        </span>
        <span role="status" className={styles.text}>
          {text}
        </span>
        <Icon name="chevronDown" size={18} className={isOpen ? styles.up : undefined} />
      </button>
    </section>
  );
}

type SyncData = EndpointOutput<typeof syncApi.syncData>;
type HmrcFacts = { isMissing: boolean; refreshing: readonly TaxRefreshStatus[]; data: readonly SyncData[]; isPending: boolean };

/** Returns, for example, "HMRC: 22 Nov, 14:58", the time when the newest figures were read. */
export function describeHmrc({ isMissing, refreshing, data, isPending }: HmrcFacts): { text: string; isWarning: boolean } {
  if (isMissing) return { text: 'HMRC isn’t connected', isWarning: true };
  const runs = refreshing.filter(({ is_refreshing: isRefreshing }) => isRefreshing).flatMap(({ run }) => run?.counts ?? []);
  if (runs.length > 0) {
    const processedCount = runs.reduce((sum, { done, failed, not_authorised: refusedCount }) => sum + done + failed + refusedCount, 0);
    const total = runs.reduce((sum, counts) => sum + counts.total, 0);
    return { text: `HMRC: ${processedCount.toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')}`, isWarning: false };
  }
  if (isPending) return { text: 'HMRC', isWarning: false };
  const failedCount = data.flatMap(({ failures }) => failures).reduce((sum, { clients }) => sum + clients, 0);
  if (failedCount > 0) return { text: `HMRC: ${failedCount.toLocaleString('en-GB')} not updated`, isWarning: true };
  const newestReadAt = data
    .flatMap(({ newest_read_at: at }) => at ?? [])
    .toSorted()
    .at(-1);
  if (newestReadAt === undefined) return { text: 'HMRC: no figures yet', isWarning: false };
  const [day = '', time = ''] = formatInstant(newestReadAt).split(', ');
  return { text: `HMRC: ${day.replace(/(\d+ \p{L}{3})\p{L}* \d{4}/u, '$1')}, ${time}`, isWarning: false };
}
