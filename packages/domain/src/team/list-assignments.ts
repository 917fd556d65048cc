/** Finds the clients a member was assigned to, with dates, from the assignment history. */
import type { Instant } from '../clock.ts';

/** One history entry, about one responsibility for one or more clients. */
export type AssignmentEvent = {
  readonly at: Instant;
  readonly action: string;
  /** The member who was given or lost the responsibility; for a hand-over, the new member (absent if unassigned). */
  readonly user_id?: string;
  /** The member who handed over the clients. */
  readonly from_user_id?: string;
  /** For an undone change: its original kind. */
  readonly change?: string;
  readonly duty?: string;
  readonly client_ids?: readonly string[];
};

/** A current assignment. */
export type CurrentAssignment = { readonly clientId: string; readonly duty: string; readonly at: Instant };

export type AssignedClientPeriod = { readonly clientId: string; readonly from: Instant; readonly until: Instant | null };

/**
 * Lists the clients that a member could see, newest first, each from the first assignment to the end of the last, which is null if it is
 * still current. `currentAssignments` count even without history, such as assignments made before the history began.
 */
export function listAssignments(
  userId: string,
  events: readonly AssignmentEvent[],
  currentAssignments: readonly CurrentAssignment[],
): readonly AssignedClientPeriod[] {
  const seenAssignments = new Map<string, { from: Instant; until: Instant | null; duties: Set<string> }>();
  const start = (clientId: string, duty: string, at: Instant): void => {
    const client = seenAssignments.get(clientId);
    if (client === undefined) seenAssignments.set(clientId, { from: at, until: null, duties: new Set([duty]) });
    else {
      client.duties.add(duty);
      client.until = null;
    }
  };
  const endAssignment = (clientId: string, duty: string, at: Instant): void => {
    const client = seenAssignments.get(clientId);
    client?.duties.delete(duty);
    if (client?.duties.size === 0) client.until = at;
  };
  for (const event of events) {
    const change = isStartFor(userId, event) ? start : isEndFor(userId, event) ? endAssignment : undefined;
    for (const clientId of event.client_ids ?? []) change?.(clientId, event.duty ?? '', event.at);
  }
  for (const { clientId, duty, at } of currentAssignments) start(clientId, duty, at);
  return [...seenAssignments]
    .map(([clientId, { from, until }]) => ({ clientId, from, until }))
    .toSorted((a, b) => (a.from < b.from ? 1 : a.from > b.from ? -1 : a.clientId < b.clientId ? -1 : 1));
}

/** Undoing a hand-over is a hand-over in the other direction. */
function isStartFor(userId: string, { action, change, user_id: to, from_user_id: from }: AssignmentEvent): boolean {
  if (action === 'clients.change_undone') return (change === 'unassign' && to === userId) || (change === 'hand_over' && from === userId);
  return to === userId && (action === 'clients.assigned' || action === 'clients.handed_over');
}

function isEndFor(userId: string, { action, change, user_id: to, from_user_id: from }: AssignmentEvent): boolean {
  if (action === 'clients.handed_over') return from === userId;
  if (to !== userId) return false;
  return action === 'clients.unassigned' || (action === 'clients.change_undone' && (change === 'assign' || change === 'hand_over'));
}
