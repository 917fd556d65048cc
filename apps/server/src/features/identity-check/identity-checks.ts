/**
 * Identity checks through a provider: at most one open check and three in total for each user. Results come only from the provider, never
 * from a browser.
 */
import { randomUUID } from 'node:crypto';
import type { identityCheckApi } from '@portal/contract/identity-check.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { identityChecks, memberships } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { IdentityCheck, IdentityResult } from '@portal/providers/identity-check/identity-check-port.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, desc, eq, inArray, notInArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { enqueueProgressOfOwner } from '../advances/enqueue-progress.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';

const MAX_CHECKS_PER_PERSON = 3;
const RETURN_PATH = '/portal/verify-identity/next-steps';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Checks in these states never change. */
const FINAL_STATES = ['passed', 'failed', 'expired'] as const;

type CheckRow = typeof identityChecks.$inferSelect;
type IdentityCheckStatus = EndpointOutput<typeof identityCheckApi.find>;

/** Returns the status of the user's newest check. An unfinished check is read from the provider, because webhooks can be late. */
export async function getIdentityCheckStatus(deps: AppDeps, actor: Actor): Promise<IdentityCheckStatus> {
  // An operator who views the portal as this user sees the stored status.
  if (!actor.viewing) await refreshUnfinished(deps, await listChecks(deps, actor.userId));
  const checks = await listChecks(deps, actor.userId);
  const [newestCheck] = checks;
  const usedAttempts = checks.filter(({ status }) => status !== 'expired').length;
  const attemptsLeft = Math.max(0, MAX_CHECKS_PER_PERSON - usedAttempts);
  const isOpen = newestCheck?.status === 'pending';
  const canRestart = newestCheck === undefined || newestCheck.status === 'failed' || newestCheck.status === 'expired';
  return {
    status: newestCheck?.status ?? 'not_started',
    reasons: newestCheck?.reasons ?? [],
    may_begin: isOpen || (canRestart && attemptsLeft > 0),
    completed_at: newestCheck?.completedAt ?? null,
    attempts_left: attemptsLeft,
  };
}

export async function startCheck(deps: AppDeps, actor: Actor, ip: string): Promise<{ check_id: string; url: string }> {
  const provider = requireProvider(deps);
  const checkStatus = await getIdentityCheckStatus(deps, actor);
  if (!checkStatus.may_begin) {
    const reason =
      checkStatus.status === 'passed'
        ? 'Your identity has already been verified.'
        : checkStatus.status === 'needs_review'
          ? 'We’re reviewing your identity check. You don’t need to do anything.'
          : 'You’ve used all your attempts. Contact us and we’ll verify you manually.';
    throw new AppError('conflict', 'identity_check.not_allowed', reason);
  }
  const row = await findOrCreateCheck(deps, actor, ip);
  const checkRequest = { reference: row.id, fullName: row.fullName, email: row.email, returnUrl: `${deps.site.publicUrl}${RETURN_PATH}` };
  // The row is saved before the call. If the response is lost, a retry uses the same reference and gets the same check.
  const { checkId, url } = await provider.startCheck(checkRequest);
  await deps.database.db.update(identityChecks).set({ providerCheckId: checkId }).where(eq(identityChecks.id, row.id));
  return { check_id: row.id, url };
}

/** Finds the open check or creates one. Because of the lock, two concurrent requests create only one. */
async function findOrCreateCheck(deps: AppDeps, actor: Actor, ip: string): Promise<CheckRow> {
  return deps.database.runExclusively(`identity check ${actor.userId}`, async () => {
    const { db } = deps.database;
    const [pendingCheck] = await db
      .select()
      .from(identityChecks)
      .where(and(eq(identityChecks.userId, actor.userId), eq(identityChecks.status, 'pending')))
      .orderBy(desc(identityChecks.createdAt))
      .limit(1);
    if (pendingCheck) return pendingCheck;
    const at = deps.clock.now();
    const row: CheckRow = {
      id: randomUUID(),
      userId: actor.userId,
      fullName: actor.fullName,
      email: actor.email,
      providerCheckId: null,
      status: 'pending',
      reasons: [],
      createdAt: at,
      completedAt: null,
      verifiedBy: null,
      evidence: null,
      bornIn: null,
    };
    await db.transaction(async (tx) => {
      await tx.insert(identityChecks).values(row);
      await recordAudit(tx, { companyId: NO_COMPANY, at, actor: actor.userId, action: 'identity_check.started', subject: row.id, ip });
    });
    return row;
  });
}

function listChecks(deps: AppDeps, userId: string): Promise<CheckRow[]> {
  return deps.database.db.select().from(identityChecks).where(eq(identityChecks.userId, userId)).orderBy(desc(identityChecks.createdAt));
}

async function refreshUnfinished(deps: AppDeps, checks: readonly CheckRow[]): Promise<void> {
  const [newestCheck] = checks;
  if (!deps.identityCheck || !newestCheck?.providerCheckId) return;
  if (newestCheck.status !== 'pending' && newestCheck.status !== 'needs_review') return;
  try {
    const result = await deps.identityCheck.findCheck(newestCheck.providerCheckId);
    if (result) await saveCheckResult(deps, result);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error }, 'the identity check provider could not be read; keeping the stored status');
  }
}

/** Returns false for an unknown check. A final state never changes. */
export async function saveCheckResult(deps: AppDeps, result: IdentityResult): Promise<boolean> {
  const { db } = deps.database;
  const [storedCheck] = UUID.test(result.reference)
    ? await db.select().from(identityChecks).where(eq(identityChecks.id, result.reference))
    : [];
  if (!storedCheck) return false;
  if (storedCheck.status === result.status && JSON.stringify(storedCheck.reasons) === JSON.stringify(result.reasons)) return true;
  await db.transaction(async (tx) => {
    const changedChecks = await tx
      .update(identityChecks)
      .set({
        status: result.status,
        reasons: [...result.reasons],
        providerCheckId: result.checkId,
        completedAt: result.completedAt ?? null,
        bornIn: result.bornIn ?? null,
      })
      .where(and(eq(identityChecks.id, storedCheck.id), notInArray(identityChecks.status, [...FINAL_STATES])))
      .returning({ id: identityChecks.id });
    if (changedChecks.length === 0 || storedCheck.status === result.status) return;
    await enqueueProgressOfOwner(deps, tx, storedCheck.userId);
    const entry = {
      companyId: NO_COMPANY,
      at: deps.clock.now(),
      actor: 'identity provider',
      action: 'identity_check.status_changed',
      subject: storedCheck.id,
    };
    await recordAudit(tx, { ...entry, before: { status: storedCheck.status }, after: { status: result.status } });
  });
  return true;
}

/** Returns the best result among a company's owners: one passed check is enough. Undefined if no owner has started a check. */
export async function findBestCheckStatus(db: Db | Tx, userIds: readonly string[]): Promise<CheckRow['status'] | undefined> {
  if (userIds.length === 0) return undefined;
  const rows = await db
    .select({ status: identityChecks.status })
    .from(identityChecks)
    .where(inArray(identityChecks.userId, [...userIds]))
    .orderBy(desc(identityChecks.createdAt));
  return rows.find(({ status }) => status === 'passed')?.status ?? rows[0]?.status;
}

/** Lists the checks of a company's owners, newest first. */
export function listOwnerChecks(
  db: Db | Tx,
  companyId: string,
): Promise<Pick<CheckRow, 'status' | 'fullName' | 'verifiedBy' | 'bornIn'>[]> {
  return db
    .select({
      status: identityChecks.status,
      fullName: identityChecks.fullName,
      verifiedBy: identityChecks.verifiedBy,
      bornIn: identityChecks.bornIn,
    })
    .from(identityChecks)
    .innerJoin(memberships, and(eq(memberships.userId, identityChecks.userId), eq(memberships.role, 'trader_owner')))
    .where(eq(memberships.companyId, companyId))
    .orderBy(desc(identityChecks.createdAt));
}

function requireProvider(deps: AppDeps): IdentityCheck {
  if (deps.identityCheck) return deps.identityCheck;
  throw new AppError(
    'upstream',
    'identity_check.not_set_up',
    'Identity checks aren’t set up here. Contact us and we’ll verify you manually.',
  );
}
