/** Formats a sync for the results table. */
import type { syncApi } from '@portal/contract/sync.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';

export type SyncData = EndpointOutput<typeof syncApi.syncData>;

/** Formats "31 read, 4 failed (not_authorised 3, insolvent 1)": clients by result, most common reason first. */
export function formatSyncCounts({ states, failures, never_read }: Pick<SyncData, 'states' | 'failures' | 'never_read'>): string {
  const reasons = failures
    .toSorted((a, b) => b.clients - a.clients || (a.code < b.code ? -1 : 1))
    .map(({ code, clients }) => `${code} ${clients}`);
  const remaining = states.checking + states.importing + states.waiting;
  return [
    `${states.completed} read`,
    `${states.failed} failed${reasons.length > 0 ? ` (${reasons.join(', ')})` : ''}`,
    ...(remaining > 0 ? [`${remaining} still to come`] : []),
    ...(never_read > 0 ? [`${never_read} never read`] : []),
  ].join(', ');
}

/** Formats "12.3 a second"; empty if no time has passed. */
export function formatRate(count: number, elapsedMs: number): string {
  return elapsedMs <= 0 ? '' : `${((count * 1000) / elapsedMs).toFixed(1)} a second`;
}
