/** Which clients a person was assigned to and when, from the history of assignments. */
import type { Instant } from '../clock.ts';

/** One entry of the history, about one duty of one or many clients. */
export type AssignmentEvent = {
  readonly at: Instant;
  readonly action: string;
  /** Who got or lost the duty; of a hand-over, who took over (absent if no one). */
  readonly user_id?: string;
  /** Who handed over. */
  readonly from_user_id?: string;
  /** For an undone change: what it was. */
  readonly change?: string;
  readonly duty?: string;
  readonly client_ids?: readonly string[];
};

/** An assignment that holds now. */
export type PresentAssignment = { readonly clientId: string; readonly duty: string; readonly at: Instant };

export type SeenClient = { readonly clientId: string; readonly from: Instant; readonly until: Instant | null };

/**
 * The clients that a person could see, each from the first assignment to the end of the last, null while it holds; the newest first. `present` counts
 * even without history, such as assignments from before it was recorded.
 */
export function listAssignments(
  userId: string,
  events: readonly AssignmentEvent[],
  present: readonly PresentAssignment[],
): readonly SeenClient[] {
  const seen = new Map<string, { from: Instant; until: Instant | null; duties: Set<string> }>();
  const start = (clientId: string, duty: string, at: Instant): void => {
    const client = seen.get(clientId);
    if (client === undefined) seen.set(clientId, { from: at, until: null, duties: new Set([duty]) });
    else {
      client.duties.add(duty);
      client.until = null;
    }
  };
  const end = (clientId: string, duty: string, at: Instant): void => {
    const client = seen.get(clientId);
    client?.duties.delete(duty);
    if (client?.duties.size === 0) client.until = at;
  };
  for (const event of events) {
    const change = startsFor(userId, event) ? start : endsFor(userId, event) ? end : undefined;
    for (const clientId of event.client_ids ?? []) change?.(clientId, event.duty ?? '', event.at);
  }
  for (const { clientId, duty, at } of present) start(clientId, duty, at);
  return [...seen]
    .map(([clientId, { from, until }]) => ({ clientId, from, until }))
    .toSorted((a, b) => (a.from < b.from ? 1 : a.from > b.from ? -1 : a.clientId < b.clientId ? -1 : 1));
}

/** Undoing a hand-over is one in the other direction. */
function startsFor(userId: string, { action, change, user_id: to, from_user_id: from }: AssignmentEvent): boolean {
  if (action === 'clients.change_undone') return (change === 'unassign' && to === userId) || (change === 'hand_over' && from === userId);
  return to === userId && (action === 'clients.assigned' || action === 'clients.handed_over');
}

function endsFor(userId: string, { action, change, user_id: to, from_user_id: from }: AssignmentEvent): boolean {
  if (action === 'clients.handed_over') return from === userId;
  if (to !== userId) return false;
  return action === 'clients.unassigned' || (action === 'clients.change_undone' && (change === 'assign' || change === 'hand_over'));
}
