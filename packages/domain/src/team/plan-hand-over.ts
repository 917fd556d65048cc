/**
 * Decides who takes over each of a leaver's clients: one successor for a duty, several who share it evenly, or someone else for single
 * clients.
 */
import { AppError } from '../app-error.ts';
import type { Duty } from '../clients/client.ts';

/** A duty that the leaver has for a client. */
export type HeldDuty = { readonly clientId: string; readonly duty: Duty };

/** The member who takes over, or null for no one. */
export type PlannedDuty = HeldDuty & { readonly toId: string | null };

/** The successor for each duty, or `null` to leave its clients without one. */
export type Successors = { readonly [Name in Duty]?: string | null | undefined };

export type HandOverChoice = {
  readonly successors: Successors;
  /** The members who share a duty's clients evenly, instead of one successor. */
  readonly shared?: { readonly [Name in Duty]?: readonly string[] | undefined } | undefined;
  /** Takes precedence over both. Entries for duties that the leaver no longer has are ignored. */
  readonly exceptions?: readonly PlannedDuty[] | undefined;
};

/**
 * Plans the duties in order of client name, so that the same choice always leads to the same plan. Throws unless every duty has a successor
 * or null.
 */
export function planHandOver(leaverId: string, heldDuties: readonly HeldDuty[], choice: HandOverChoice): PlannedDuty[] {
  const { successors, shared = {}, exceptions = [] } = choice;
  assertDutiesAnswered(heldDuties, choice);
  const memberIds = [...Object.values(successors), ...Object.values(shared).flat(), ...exceptions.map(({ toId }) => toId)];
  if (memberIds.includes(leaverId)) throw createInvalidError('Choose someone else to take over.');
  const successorByException = new Map(exceptions.map((one) => [toKey(one), one.toId]));
  // A client's other duties go to the same member if the shares stay even.
  const byClient = new Map<string, Set<string>>();
  const shares = new Map(
    (Object.keys(shared) as Duty[]).map((duty) => {
      const clients = heldDuties.filter((one) => one.duty === duty && !successorByException.has(toKey(one))).length;
      return [duty, createShareAllocator(shared[duty] ?? [], clients)] as const;
    }),
  );
  return heldDuties.map((one) => {
    const exception = successorByException.get(toKey(one));
    const share = shares.get(one.duty);
    const clientDuties = byClient.get(one.clientId) ?? new Set();
    const toId = exception !== undefined ? exception : share ? share(clientDuties) : (successors[one.duty] ?? null);
    if (toId !== null) byClient.set(one.clientId, clientDuties.add(toId));
    return { ...one, toId };
  });
}

/** The leaver's clients have changed since the plan was made. */
export function createHandOverChangedError(): AppError {
  return new AppError(
    'conflict',
    'team.hand_over_changed',
    'Their clients have changed since you started. Check who takes over, then try again.',
  );
}

function assertDutiesAnswered(heldDuties: readonly HeldDuty[], { successors, shared = {} }: HandOverChoice): void {
  const duties = [...new Set(heldDuties.map(({ duty }) => duty))];
  const openDuties = duties.filter((duty) => successors[duty] === undefined && shared[duty] === undefined);
  if (openDuties.length > 0) throw createInvalidError(`Choose who takes over: ${openDuties.join(', ')}.`);
  if (duties.some((duty) => successors[duty] !== undefined && shared[duty] !== undefined))
    throw createInvalidError('Choose one successor for a duty, or several people who share it.');
}

/** Returns a function that chooses the next member. Their client numbers differ by at most one. */
function createShareAllocator(people: readonly string[], clients: number): (preferredIds: ReadonlySet<string>) => string {
  const counts = new Map(people.map((id) => [id, 0]));
  const minClients = Math.floor(clients / counts.size);
  let extras = clients % counts.size;
  return (preferredIds) => {
    const ids = [...counts.keys()].filter(
      (id) => (counts.get(id) ?? 0) < minClients || ((counts.get(id) ?? 0) === minClients && extras > 0),
    );
    const candidates = ids.some((id) => preferredIds.has(id)) ? ids.filter((id) => preferredIds.has(id)) : ids;
    const leastLoadedId = candidates.reduce((best, id) => ((counts.get(id) ?? 0) < (counts.get(best) ?? 0) ? id : best));
    const count = counts.get(leastLoadedId) ?? 0;
    if (count === minClients) extras -= 1;
    counts.set(leastLoadedId, count + 1);
    return leastLoadedId;
  };
}

const toKey = ({ clientId, duty }: HeldDuty): string => `${duty} ${clientId}`;

const createInvalidError = (message: string): AppError => new AppError('invalid', 'input.invalid', message, { field: 'successors' });
