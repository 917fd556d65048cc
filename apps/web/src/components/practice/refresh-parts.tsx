/** The parts of a refresh status: the age of the figures, progress, waiting clients and failures. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { syncStatusEndpoints, TaxRefreshStatus } from '@portal/contract/sync-status.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import { type AgentTax, TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { formatClientCount, getClientLink } from '../../lib/client-labels.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { PRELOADS_ACTION } from '../../lib/refresh-action.ts';
import { listProgressParts, RunSentence } from './run-sentence.tsx';
import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress-bar.tsx';
import styles from './refresh-parts.module.css';
import { TextLink } from '../../ui/text-link.tsx';

type SyncData = EndpointOutput<typeof syncStatusEndpoints.syncData>;

/** Shows, for example, "Updated from HMRC on 22 November 2026 at 14:58. 32 of 208 clients have no data yet." */
export function FigureAges({ companyId, data }: { companyId: string; data: SyncData }) {
  const { oldest_read_at: oldestReadAt, newest_read_at: newestReadAt, never_read: neverRead, tax_type: tax, clients } = data;
  const list = (filters: Readonly<Record<string, string>>): string =>
    getPageLink('practiceClients', { company_id: companyId, status: 'in_hand', tax, ...filters });
  if (newestReadAt === null || oldestReadAt === null)
    return (
      <>
        Not updated yet (<TextLink to={list({})}>{formatClientCount(clients)}</TextLink>).
        <WithoutNino count={data.never_asked} to={list({ refresh: 'without_nino' })} />
      </>
    );
  return (
    <>
      Updated from HMRC {describeTimes(formatInstant(oldestReadAt), formatInstant(newestReadAt))}.
      {neverRead > 0 && (
        <>
          {' '}
          <TextLink to={list({ figures: 'unread' })}>
            {neverRead.toLocaleString('en-GB')} of {formatClientCount(clients)}
          </TextLink>{' '}
          {neverRead === 1 ? 'has' : 'have'} no data yet.
        </>
      )}
      <WithoutNino count={data.never_asked} to={list({ refresh: 'without_nino' })} />
    </>
  );
}

/** HMRC identifies clients by National Insurance number, so a refresh can't update clients without one. */
function WithoutNino({ count, to }: { count: number; to: string }) {
  if (count === 0) return null;
  return (
    <>
      {' '}
      <TextLink to={to}>{formatClientCount(count)}</TextLink> can’t be updated without a National Insurance number.
    </>
  );
}

/** Returns "on 22 November 2026 at 14:58", "on 22 November 2026 between 14:52 and 14:58", or a range over two days. */
function describeTimes(oldestReadAt: string, newestReadAt: string): string {
  const [[firstDay, firstTime], [lastDay, lastTime]] = [oldestReadAt.split(', '), newestReadAt.split(', ')];
  if (firstDay !== lastDay) return `between ${firstDay} and ${lastDay} at ${lastTime}`;
  return firstTime === lastTime ? `on ${lastDay} at ${lastTime}` : `on ${lastDay} between ${firstTime} and ${lastTime}`;
}

/** Details shown during a refresh: why some clients are waiting, and the age of the current figures. */
export function RefreshDetails({ companyId, tax, data }: { companyId: string; tax: AgentTax; data: SyncData }) {
  return (
    <div className={styles.details}>
      {data.waits.length > 0 && (
        <ul aria-label={`Why ${TAX_NAMES[tax]} clients are waiting`} className={styles.list}>
          {data.waits.map(({ code, sentence, next, clients }) => (
            <li key={code}>
              <span className={styles.problem}>
                <TextLink to={getReasonLink({ companyId, tax, refresh: 'waiting' }, code)}>{formatClientCount(clients)}</TextLink>:{' '}
                {sentence}
              </span>{' '}
              {next}
            </li>
          ))}
        </ul>
      )}
      {data.newest_read_at !== null && (
        <>
          Current figures: <FigureAges companyId={companyId} data={data} />
        </>
      )}
    </div>
  );
}

type RefreshProgressProps = { companyId: string; refreshing: TaxRefreshStatus; tax: AgentTax };

export function RefreshProgress({ companyId, refreshing, tax }: RefreshProgressProps) {
  const counts = refreshing.run?.counts;
  const processedCount = counts === undefined ? 0 : counts.done + counts.failed + counts.not_authorised;
  const percent = counts === undefined || counts.total === 0 ? 0 : (processedCount / counts.total) * 100;
  const pace = refreshing.run ? describePace(refreshing.run) : '';
  return (
    <>
      <p className={styles.progress}>
        {counts === undefined ? (
          refreshing.sentence
        ) : (
          <RunSentence companyId={companyId} tax={tax} parts={listProgressParts(tax, counts)} />
        )}
      </p>
      <Progress percent={percent} label={`${TAX_NAMES[tax]} refresh`} />
      {/* Not announced to screen readers, because it changes every second. */}
      {pace !== '' && (
        <p className={styles.pace} aria-live="off">
          {pace}
        </p>
      )}
    </>
  );
}

/** Returns, for example, "42 clients a minute, about 30 seconds left." */
export function describePace({
  is_throttled: isThrottled,
  rate_per_minute: rate,
  seconds_left: secondsLeft,
}: Pick<NonNullable<TaxRefreshStatus['run']>, 'is_throttled' | 'rate_per_minute' | 'seconds_left'>): string {
  const limit = isThrottled ? 'HMRC is limiting how fast we can refresh. Nothing has failed; we’re continuing at HMRC’s pace.' : '';
  const pace =
    rate === null || secondsLeft === null ? '' : `${formatClientCount(rate)} a minute, about ${formatDuration(secondsLeft)} left.`;
  return [limit, pace].filter((part) => part !== '').join(' ');
}

function formatDuration(seconds: number): string {
  if (seconds < 60) return `${seconds} seconds`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.round((seconds % 3600) / 60)];
  const parts = [
    hours > 0 ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : '',
    minutes > 0 ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}` : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

type ReasonLink = { companyId: string; tax: AgentTax; refresh: 'failed' | 'waiting' };

/** Returns a link to the clients with a given reason. */
function getReasonLink({ companyId, tax, refresh }: ReasonLink, code: string): string {
  return getPageLink('practiceClients', { company_id: companyId, status: 'in_hand', tax, refresh, refresh_reason: code });
}

type FailuresProps = {
  companyId: string;
  tax: AgentTax;
  failures: SyncData['failures'];
  retry: (() => void) | undefined;
  isBusy: boolean;
  disabledReasonId: string | undefined;
};

export function RefreshFailures({ companyId, tax, failures, retry, isBusy, disabledReasonId }: FailuresProps) {
  const failedCount = failures.reduce((sum, { clients }) => sum + clients, 0);
  return (
    <div className={styles.failures}>
      <ul aria-label="Why clients were not updated" className={styles.list}>
        {failures.map(({ code, sentence, next, clients, examples }) => (
          <li key={code}>
            <div className={styles.problem}>
              <TextLink to={getReasonLink({ companyId, tax, refresh: 'failed' }, code)}>{formatClientCount(clients)}</TextLink>: {sentence}
            </div>
            <div className={styles.next}>
              {next}
              {examples.length > 0 && <Examples companyId={companyId} examples={examples} />}
            </div>
          </li>
        ))}
      </ul>
      <TextLink to={getPageLink('practiceClients', { company_id: companyId, status: 'in_hand', tax, refresh: 'failed' })}>
        View {failedCount === 1 ? 'this client' : `these ${formatClientCount(failedCount)}`}
      </TextLink>
      {retry && (
        <Button
          size="small"
          variant="text"
          fit="flush"
          disabled={isBusy || disabledReasonId !== undefined}
          aria-describedby={disabledReasonId}
          {...PRELOADS_ACTION}
          onClick={retry}
        >
          Retry these clients
        </Button>
      )}
    </div>
  );
}

function Examples({ companyId, examples }: { companyId: string; examples: SyncData['failures'][number]['examples'] }) {
  return (
    <>
      {' For example: '}
      {examples.map(({ client_id: id, name }, place) => {
        const to = getClientLink(companyId, id);
        return (
          <span key={id}>
            {place > 0 && ', '}
            {to === undefined ? name : <TextLink to={to}>{name}</TextLink>}
          </span>
        );
      })}
      .
    </>
  );
}
