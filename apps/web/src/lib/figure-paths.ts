/**
 * The paths of the queries that show clients' figures. Loaded only when figures change, because a screen needs just some of these
 * endpoints.
 */
import { assignmentApi } from '@portal/contract/assignment.ts';
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { clientGroupsApi } from '@portal/contract/client-groups.ts';
import { clientsApi } from '@portal/contract/clients.ts';
import { positionsApi } from '@portal/contract/positions.ts';
import { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import { syncApi } from '@portal/contract/sync.ts';
import { teamApi } from '@portal/contract/team.ts';

/** The queries that a refresh affects. */
export const FIGURE_PATHS: readonly string[] = [
  syncApi.syncData,
  syncApi.clientSyncData,
  syncApi.connectionStatus,
  clientsApi.list,
  clientsApi.count,
  clientGroupsApi.list,
  clientGroupsApi.find,
  clientDashboardApi.profile,
  clientDashboardApi.timeline,
  ...Object.values(practiceDashboardApi),
  ...Object.values(positionsApi),
].map(({ path }) => path);

/** Everything that depends on clients: lists, counts, client pages, totals and workloads. */
export const CLIENT_PATHS: readonly string[] = [
  clientsApi,
  clientGroupsApi,
  clientDashboardApi,
  positionsApi,
  practiceDashboardApi,
  teamApi,
  assignmentApi,
].flatMap((api) => Object.values(api).map(({ path }) => path));
