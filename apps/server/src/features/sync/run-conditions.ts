/** Conditions on `client_syncs` for the groups of clients that a refresh counts. Shared by the counts and the client list's filters. */
import { clientSyncs } from '@portal/db/schema/schema.ts';
import { sql, type SQL, type SQLWrapper } from '@portal/db/sql.ts';

/** Groups of a refresh's clients. Every client is in `run` and in exactly one of the last four. */
export type RunGroup = 'run' | 'run_done' | 'run_failed' | 'run_not_authorised' | 'run_queued';

/** A missing authorisation is counted separately from failures, because only the client can fix it. */
export const IS_AUTHORISATION_REASON = sql`coalesce(${clientSyncs.reason}, '') in ('not_authorised', 'authorisation_revoked')`;

const HAS_FAILED = sql`(${clientSyncs.state} = 'failed' and ${clientSyncs.retryAt} is null and ${clientSyncs.attempts} > 0)`;

/** Returns the condition of a group, for a refresh that started at `startedAt`. Earlier readings of its clients don't count. */
export function isInRunGroup(group: RunGroup, startedAt: SQLWrapper): SQL {
  const isDone = sql`(${clientSyncs.state} = 'completed' and coalesce(${clientSyncs.readAt} >= ${startedAt}, false))`;
  switch (group) {
    case 'run':
      return sql`true`;
    case 'run_done':
      return isDone;
    case 'run_failed':
      return sql`(${HAS_FAILED} and not ${IS_AUTHORISATION_REASON})`;
    case 'run_not_authorised':
      return sql`(${HAS_FAILED} and ${IS_AUTHORISATION_REASON})`;
    case 'run_queued':
      return sql`(not ${isDone} and not ${HAS_FAILED})`;
  }
}
