import type { viewingApi } from '@portal/contract/viewing.ts';
import { memberships, operators, sessions, users } from '@portal/db/schema/schema.ts';
import type { Tx } from '@portal/db/database.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { NO_COMPANY, recordAudit, type AuditEntryInput } from '../audit/record-audit.ts';
import { getHome } from '../identity/get-home.ts';

const VIEW_TTL_MS = 30 * 60_000;

/** Operators keep their own session. The view is part of that session and limits what it may do (http/authorise.ts). */
export function viewingHandlers(deps: AppDeps): Handlers<typeof viewingApi> {
  const { db } = deps.database;
  return {
    start: async ({ input, actor, caller }) => {
      const userId = input.user_id;
      await db.transaction(async (tx) => {
        await assertMayBeViewed(tx, userId);
        await tx
          .update(sessions)
          .set({ viewAs: userId, viewUntil: addMilliseconds(deps.wallClock.now(), VIEW_TTL_MS) })
          .where(and(eq(sessions.id, actor.sessionId ?? ''), eq(sessions.userId, actor.userId)));
        const entry = { at: deps.clock.now(), actor: actor.userId, action: 'view.started', subject: userId, ip: caller.ip };
        await recordForCompanies(tx, userId, { ...entry, after: { reason: input.reason } });
      });
      return { home_path: (await getHome(db, { userId }, deps.clock.now())).home_path };
    },
    end: async ({ actor, caller }) => {
      const { viewing, sessionId, userId } = actor;
      if (!viewing || sessionId === undefined) return { done: true };
      await db.transaction(async (tx) => {
        await tx.update(sessions).set({ viewAs: null, viewUntil: null }).where(eq(sessions.id, sessionId));
        const entry = { at: deps.clock.now(), actor: viewing.operatorId, action: 'view.ended', subject: userId, ip: caller.ip };
        await recordForCompanies(tx, userId, entry);
      });
      return { done: true };
    },
  };
}

/** Rejects operators, whose own pages can't be viewed anyway. */
async function assertMayBeViewed(tx: Tx, userId: string): Promise<void> {
  const [viewedUser] = await tx
    .select({ id: users.id, operatorId: operators.userId })
    .from(users)
    .leftJoin(operators, and(eq(operators.userId, users.id), isNull(operators.disabledAt)))
    .where(eq(users.id, userId));
  if (!viewedUser) throw new AppError('notFound', 'view.no_person', 'This user doesn’t exist. Reload the page.');
  if (viewedUser.operatorId !== null) throw new AppError('conflict', 'view.operator', 'You can’t view the portal as another operator.');
}

/** Recorded in the audit trail of each of the user's companies, so that its readers can see who viewed the portal as the user. */
async function recordForCompanies(tx: Tx, userId: string, entry: Omit<AuditEntryInput, 'companyId'>): Promise<void> {
  const rows = await tx
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(eq(memberships.userId, userId))
    .orderBy(memberships.companyId);
  const companyIds = rows.length > 0 ? rows.map(({ companyId }) => companyId) : [NO_COMPANY];
  for (const companyId of companyIds) await recordAudit(tx, { ...entry, companyId });
}
