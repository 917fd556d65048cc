import type { viewingApi } from '@portal/contract/viewing.ts';
import { operators, sessions, users } from '@portal/db/schema/schema.ts';
import type { Tx } from '@portal/db/database.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { getHome } from '../identity/get-home.ts';
import { recordAboutUser } from '../audit/record-about-user.ts';
import { recordViewEnd } from './record-view-end.ts';

const VIEW_TTL_MS = 30 * 60_000;

/** Operators keep their own session. The view is part of that session and limits what it may do (http/authorise.ts). */
export function viewingHandlers(deps: AppDeps): Handlers<typeof viewingApi> {
  const { db } = deps.database;
  return {
    start: async ({ input, actor, caller }) => {
      const userId = input.user_id;
      await db.transaction(async (tx) => {
        await assertMayBeViewed(tx, userId);
        const until = addMilliseconds(deps.wallClock.now(), VIEW_TTL_MS);
        await tx
          .update(sessions)
          .set({ viewAs: userId, viewUntil: until })
          .where(and(eq(sessions.id, actor.sessionId ?? ''), eq(sessions.userId, actor.userId)));
        const entry = { at: deps.clock.now(), actor: actor.userId, action: 'view.started', subject: userId, ip: caller.ip };
        await recordAboutUser(tx, { ...entry, after: { reason: input.reason, until } });
      });
      return { home_path: (await getHome(db, { userId }, deps.clock.now())).home_path };
    },
    end: async ({ actor, caller }) => {
      const { viewing, sessionId } = actor;
      if (!viewing || sessionId === undefined) return { done: true };
      await db.transaction(async (tx) => {
        await tx.update(sessions).set({ viewAs: null, viewUntil: null }).where(eq(sessions.id, sessionId));
        await recordViewEnd(tx, actor, { at: deps.clock.now(), ip: caller.ip });
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
