/**
 * Follows a practice's refreshes and imports through server-sent events, or by polling if the stream can't be opened. Writes events into
 * the query cache, so that screens use their ordinary queries.
 */
import type { ImportState } from '@portal/domain/client-imports/import-states.ts';
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { IMPORT_INFO_PATH, importProgressEndpoints } from '@portal/contract/import-progress.ts';
import { SYNC_EVENTS_PATH, syncProgress, syncStatusEndpoints, type TaxRefreshStatus } from '@portal/contract/sync-status.ts';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { apiQuery } from './api.ts';
import { PORTAL_BASE } from './settings.ts';
import { invalidateFigures } from './invalidate-figures.ts';

/** Poll interval while no stream is open. */
export const POLL_MS = 5_000;
/** How long to wait before reopening a stream that the server rejected. */
export const RECONNECT_MS = 30_000;
/** Minimum time between refetches of lists and totals while figures arrive. */
const MIN_INVALIDATION_INTERVAL_MS = 2_500;

export type LiveSync = { readonly isLive: boolean; readonly refreshing: Readonly<Record<AgentTax, TaxRefreshStatus | undefined>> };

export function useLiveSync(companyId: string): LiveSync {
  const client = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  useEffect(() => (companyId === '' ? undefined : subscribeToSync(client, companyId, setIsLive)), [client, companyId]);
  const options = { enabled: companyId !== '', refetchInterval: isLive ? (false as const) : POLL_MS };
  const vat = useQuery({ ...apiQuery(syncStatusEndpoints.refreshingClients, { company_id: companyId, tax_type: 'vat' }), ...options });
  const sa = useQuery({ ...apiQuery(syncStatusEndpoints.refreshingClients, { company_id: companyId, tax_type: 'sa' }), ...options });
  const [vatChanges, saChanges] = [useChangeCount(vat.data), useChangeCount(sa.data)];
  useEffect(() => {
    if (vatChanges + saChanges > 0) return scheduleInvalidation(client);
    return undefined;
  }, [client, vatChanges, saChanges]);
  return { isLive, refreshing: { vat: vat.data, sa: sa.data } };
}

/** Returns how many times the counts of a refresh have changed since the screen opened. */
function useChangeCount(refreshStatus: TaxRefreshStatus | undefined): number {
  const key =
    refreshStatus === undefined ? '' : JSON.stringify([refreshStatus.is_refreshing, refreshStatus.run?.run_id, refreshStatus.run?.counts]);
  const [seenChanges, setSeenChanges] = useState({ key, changes: 0 });
  if (key !== seenChanges.key) setSeenChanges({ key, changes: seenChanges.key === '' ? 0 : seenChanges.changes + 1 });
  return seenChanges.changes;
}

const invalidatedAt = new WeakMap<QueryClient, number>();

/** Invalidates the figures soon, but not too often. Returns a function that cancels the invalidation. */
function scheduleInvalidation(client: QueryClient): () => void {
  const wait = Math.max(0, (invalidatedAt.get(client) ?? -MIN_INVALIDATION_INTERVAL_MS) + MIN_INVALIDATION_INTERVAL_MS - performance.now());
  const timer = setTimeout(() => {
    invalidatedAt.set(client, performance.now());
    void invalidateFigures(client);
  }, wait);
  return () => clearTimeout(timer);
}

/** Opens the stream and keeps it open. Returns a function that closes it. */
function subscribeToSync(client: QueryClient, companyId: string, setIsLive: (isLive: boolean) => void): () => void {
  let source: EventSource | undefined;
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(reconnectTimer);
    source?.close();
    setIsLive(false);
  };
  const open = (): void => {
    source = new EventSource(`${PORTAL_BASE}${SYNC_EVENTS_PATH}?${new URLSearchParams({ company_id: companyId })}`);
    source.addEventListener('open', () => setIsLive(true));
    source.addEventListener('error', () => {
      setIsLive(false);
      // The browser reconnects automatically, unless the server rejected the stream.
      if (source?.readyState === EventSource.CLOSED) reconnectTimer = setTimeout(open, RECONNECT_MS);
    });
    for (const [name, handle] of Object.entries(EVENT_HANDLERS)) {
      source.addEventListener(name, (event: MessageEvent<string>) => handle(client, companyId, JSON.parse(event.data)));
    }
    // The next request will detect that the session has ended and redirect to the login page.
    source.addEventListener('signed_out', () => {
      stop();
      void client.invalidateQueries({ queryKey: [syncStatusEndpoints.refreshingClients.path] });
    });
  };
  open();
  return stop;
}

type ImportProgress = EndpointOutput<typeof importProgressEndpoints.fetchingNewClients>;

/** A short import runs from start to end between two events, so these states mean that clients may have changed. */
const ENDED_STATES: ReadonlySet<ImportState> = new Set(['completed', 'failed', 'cancelled', 'undone']);

/** Two files can have the same number of rows, so the import is compared too. */
function hasProgressed(before: ImportProgress, after: ImportProgress): boolean {
  return before.import_id !== after.import_id || before.state !== after.state || before.rows_done !== after.rows_done;
}

type EventHandler = (client: QueryClient, companyId: string, payload: unknown) => void;

const EVENT_HANDLERS: Readonly<Record<'progress' | 'fetching' | 'connections', EventHandler>> = {
  progress: (client, companyId, payload) => {
    for (const progress of syncProgress.parse(payload)) {
      client.setQueryData(
        apiQuery(syncStatusEndpoints.refreshingClients, { company_id: companyId, tax_type: progress.tax_type }).queryKey,
        progress,
      );
    }
  },
  fetching: (client, companyId, payload) => {
    const key = apiQuery(importProgressEndpoints.fetchingNewClients, { company_id: companyId }).queryKey;
    const [cachedProgress, latestProgress] = [client.getQueryData(key), importProgressEndpoints.fetchingNewClients.output.parse(payload)];
    client.setQueryData(key, latestProgress);
    if (cachedProgress === undefined || !hasProgressed(cachedProgress, latestProgress)) return;
    void client.invalidateQueries({ queryKey: [IMPORT_INFO_PATH] });
    if (latestProgress.state !== null && ENDED_STATES.has(latestProgress.state)) scheduleInvalidation(client);
  },
  connections: (client, companyId, payload) => {
    const key = apiQuery(syncStatusEndpoints.accountantConnections, { company_id: companyId }).queryKey;
    const cachedStatus = client.getQueryData(key);
    const now = syncStatusEndpoints.accountantConnections.output.parse(payload);
    client.setQueryData(key, now);
    if (cachedStatus !== undefined && JSON.stringify(cachedStatus) !== JSON.stringify(now)) {
      void client.invalidateQueries({ queryKey: [syncStatusEndpoints.connectionStatus.path] });
    }
  },
};
