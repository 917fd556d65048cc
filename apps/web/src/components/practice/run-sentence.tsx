/** Sentences about a refresh. Each number links to the clients that it counts. */
import type { REFRESH_FILTERS } from '@portal/contract/client-filter-values.ts';
import type { TaxRefreshStatus } from '@portal/contract/sync-status.ts';
import { type AgentTax, TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { formatClientCount } from '../../lib/client-labels.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { TextLink } from '../../ui/text-link.tsx';

type Run = NonNullable<TaxRefreshStatus['run']>;
type Counts = Run['counts'];

/** Text, or a count that links to the clients it counts. */
export type RunPart = string | { readonly text: string; readonly refresh: (typeof REFRESH_FILTERS)[number] };

type RunSentenceProps = { companyId: string; tax: AgentTax; parts: readonly RunPart[] };

export function RunSentence({ companyId, tax, parts }: RunSentenceProps) {
  return parts.map((part) =>
    typeof part === 'string' ? (
      part
    ) : (
      <TextLink
        key={`${part.refresh} ${part.text}`}
        to={getPageLink('practiceClients', { company_id: companyId, tax, refresh: part.refresh })}
      >
        {part.text}
      </TextLink>
    ),
  );
}

export function toText(parts: readonly RunPart[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.text)).join('');
}

/** Returns for example "Refreshing VAT for 118 clients: 96 done, 3 failed, 19 queued", worded as on the server. */
export function listProgressParts(tax: AgentTax, counts: Counts): readonly RunPart[] {
  return [
    `Refreshing ${TAX_NAMES[tax]} for `,
    { text: formatClientCount(counts.total), refresh: 'run' },
    ': ',
    { text: `${formatNumber(counts.done)} done`, refresh: 'run_done' },
    ', ',
    { text: `${formatNumber(counts.failed)} failed`, refresh: 'run_failed' },
    ', ',
    ...(counts.not_authorised > 0
      ? ([{ text: `${formatNumber(counts.not_authorised)} not authorised`, refresh: 'run_not_authorised' }, ', '] as const)
      : []),
    { text: `${formatNumber(countUnreachedClients(counts))} queued`, refresh: 'run_queued' },
    ...(counts.waiting > 0 ? ([' (', { text: formatNumber(counts.waiting), refresh: 'waiting' }, ' will be retried)'] as const) : []),
  ];
}

/** Returns for example "Refresh finished: 96 clients updated, 3 failed." */
export function listEndedParts({ state, counts, reason }: Pick<Run, 'state' | 'counts' | 'reason'>): readonly RunPart[] {
  const unreachedCount = countUnreachedClients(counts);
  const outcomeText = state === 'cancelled' ? 'Refresh stopped' : state === 'failed' ? 'Refresh failed' : 'Refresh finished';
  const add = (count: number, label: string, refresh: (typeof REFRESH_FILTERS)[number]): readonly RunPart[] =>
    count > 0 ? [', ', { text: `${formatNumber(count)} ${label}`, refresh }] : [];
  return [
    `${outcomeText}: `,
    { text: `${formatClientCount(counts.done)} updated`, refresh: 'run_done' },
    ...add(counts.failed, 'failed', 'run_failed'),
    ...add(counts.not_authorised, 'not authorised', 'run_not_authorised'),
    ...add(unreachedCount, 'not started', 'run_queued'),
    // Users who stopped the refresh know why, and the server's sentence is about a single client.
    `.${reason === null || state === 'cancelled' ? '' : ` ${reason.sentence} ${reason.next}`}`,
  ];
}

function countUnreachedClients({ total, done, failed, not_authorised: refusedCount }: Counts): number {
  return total - done - failed - refusedCount;
}

function formatNumber(count: number): string {
  return count.toLocaleString('en-GB');
}
