/**
 * Stores the simulator's identity checks, and applies attempts, decisions, reviews and expiry after seven days. Every decision queues its
 * webhook in the same transaction.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { addMilliseconds, type Clock, type Instant } from '@portal/domain/clock.ts';
import { addMonths, type PlainDate } from '@portal/domain/plain-date.ts';
import { getBirthDate } from '../simulator/birth-date.ts';
import type { SimulatorStore } from '../simulator/simulator-store.ts';
import type { IdentityCheckStatus } from '@portal/domain/advances/advance-statuses.ts';
import { MAX_TRIES, type StartCheckWire, type CheckWire, type EventWire } from '@portal/providers/identity-check/identity-check-wire.ts';

export type CheckRecord = StartCheckWire & {
  readonly id: string;
  /** The secret part of the URL that the user opens. */
  readonly token: string;
  readonly status: IdentityCheckStatus;
  readonly reasons: readonly string[];
  readonly tries: number;
  readonly created_at: Instant;
  readonly completed_at?: Instant;
  /** The date of birth on the document, if it shows one. */
  readonly date_of_birth?: PlainDate;
  readonly expires_at: Instant;
};

/** The outcomes that the user can choose on the page instead of uploading a document. */
export const OUTCOMES = ['fine', 'other_birth_date', 'no_birth_date', 'blurred', 'another_person', 'doubtful'] as const;
export type CheckOutcome = (typeof OUTCOMES)[number];

const CHECK_TTL_MS = 7 * 86_400_000;

export type IdentityRecords = {
  /**
   * Returns or creates the check for the request's reference. Returns undefined if the reference already has a check with other details.
   */
  startCheck(order: StartCheckWire): { readonly check: CheckRecord; readonly isNew: boolean } | undefined;
  find(id: string): CheckRecord | undefined;
  findByToken(token: string): CheckRecord | undefined;
  /** Applies an attempt and returns the check, which is unchanged if it is no longer pending. */
  applyOutcome(check: CheckRecord, outcome: CheckOutcome): CheckRecord;
  /** Returns false if the check isn't under review. */
  settleReview(id: string, outcome: 'passed' | 'failed'): boolean;
  list(): CheckRecord[];
};

export function openIdentityRecords(store: SimulatorStore, clock: Clock, queue: (event: EventWire) => void): IdentityRecords {
  const checks = store.collection<CheckRecord>('identity.checks');
  const byToken = store.collection<string>('identity.tokens');
  const byReference = store.collection<string>('identity.references');

  function endCheck(
    check: CheckRecord,
    change: Pick<CheckRecord, 'status' | 'reasons'> & Partial<Pick<CheckRecord, 'tries' | 'date_of_birth'>>,
    at: Instant,
  ): CheckRecord {
    const endedCheck: CheckRecord = { ...check, ...change, completed_at: at };
    checks.put(check.id, endedCheck);
    const type = endedCheck.status === 'expired' ? 'check.expired' : 'check.completed';
    queue({ id: randomUUID(), type, created_at: clock.now(), check: toCheckResponse(endedCheck) });
    return endedCheck;
  }

  /** Returns the check in its current state: a pending check expires after seven days. */
  const expireIfDue = (check: CheckRecord | undefined): CheckRecord | undefined => {
    if (check?.status !== 'pending' || clock.now() < check.expires_at) return check;
    return store.atomically(() => endCheck(check, { status: 'expired', reasons: [] }, check.expires_at));
  };
  const find = (id: string): CheckRecord | undefined => expireIfDue(checks.get(id));

  return {
    find,
    findByToken: (token) => {
      const id = byToken.get(token);
      return id === undefined ? undefined : find(id);
    },
    list: () => checks.list().map(({ document }) => expireIfDue(document) ?? document),
    startCheck: (order) =>
      store.atomically(() => {
        const existingId = byReference.get(order.reference);
        const existingCheck = existingId === undefined ? undefined : find(existingId);
        if (existingCheck) return isSameOrder(existingCheck, order) ? { check: existingCheck, isNew: false } : undefined;
        const now = clock.now();
        const check: CheckRecord = {
          ...order,
          id: randomUUID(),
          token: randomBytes(24).toString('base64url'),
          status: 'pending',
          reasons: [],
          tries: 0,
          created_at: now,
          expires_at: addMilliseconds(now, CHECK_TTL_MS),
        };
        checks.put(check.id, check);
        byToken.put(check.token, check.id);
        byReference.put(check.reference, check.id);
        return { check, isNew: true };
      }),
    applyOutcome: (requestedCheck, outcome) =>
      store.atomically(() => {
        const check = find(requestedCheck.id) ?? requestedCheck;
        if (check.status !== 'pending') return check;
        const change = { ...applyAttempt(check.tries + 1, outcome), ...readBirthDate(check, outcome) };
        if (change.status !== 'pending') return endCheck(check, change, clock.now());
        const updatedCheck: CheckRecord = { ...check, ...change };
        checks.put(check.id, updatedCheck);
        return updatedCheck;
      }),
    settleReview: (id, outcome) =>
      store.atomically(() => {
        const check = find(id);
        if (check?.status !== 'needs_review') return false;
        endCheck(check, { status: outcome, reasons: outcome === 'passed' ? [] : check.reasons }, clock.now());
        return true;
      }),
  };
}

function applyAttempt(tries: number, outcome: CheckOutcome): Pick<CheckRecord, 'status' | 'reasons' | 'tries'> {
  switch (outcome) {
    case 'fine':
    case 'other_birth_date':
    case 'no_birth_date':
      return { status: 'passed', reasons: [], tries };
    case 'another_person':
      return { status: 'failed', reasons: ['person_mismatch'], tries };
    case 'doubtful':
      return { status: 'needs_review', reasons: ['document_doubtful'], tries };
    case 'blurred':
      return { status: tries < MAX_TRIES ? 'pending' : 'failed', reasons: ['document_unreadable'], tries };
  }
}

function readBirthDate({ full_name }: CheckRecord, outcome: CheckOutcome): Pick<CheckRecord, 'date_of_birth'> {
  if (outcome === 'no_birth_date') return {};
  return { date_of_birth: outcome === 'other_birth_date' ? addMonths(getBirthDate(full_name), -360) : getBirthDate(full_name) };
}

export function toCheckResponse(check: CheckRecord): CheckWire {
  const { id, reference, status, reasons, tries, created_at, completed_at, expires_at, date_of_birth } = check;
  return {
    id,
    reference,
    status,
    reasons: [...reasons],
    tries_left: status === 'pending' ? MAX_TRIES - tries : 0,
    created_at,
    completed_at: completed_at ?? null,
    expires_at,
    date_of_birth: (status === 'passed' ? date_of_birth : undefined) ?? null,
  };
}

function isSameOrder(check: CheckRecord, { full_name, email, return_url }: StartCheckWire): boolean {
  return check.full_name === full_name && check.email === email && check.return_url === return_url;
}
