import type { customerSessionsApi } from '@portal/contract/customer-sessions.ts';
import { loginLinks, operators, users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { recordAboutUser } from '../audit/record-about-user.ts';
import { endAllSignIns } from '../identity/end-sign-ins.ts';
import { enqueueSecurityEmail } from '../identity/link-emails.ts';

export function customerSessionsHandlers(deps: AppDeps): Handlers<typeof customerSessionsApi> {
  return {
    end: async ({ input, actor, caller }) => {
      const { user_id: userId, reason } = input;
      await deps.database.db.transaction(async (tx) => {
        const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId)).for('update');
        if (!user) throw new AppError('notFound', 'customer.not_found', 'This person doesn’t exist. Reload the page.');
        const [operator] = await tx.select({ userId: operators.userId }).from(operators).where(eq(operators.userId, userId));
        // Otherwise anyone on the team could log an administrator out while something is being decided.
        if (operator) throw new AppError('conflict', 'customer.is_operator', 'Operators are logged out by an administrator, under People.');
        await endAllSignIns(tx, userId);
        await tx
          .update(loginLinks)
          .set({ usedAt: deps.wallClock.now() })
          .where(and(eq(loginLinks.email, user.email), isNull(loginLinks.usedAt)));
        const entry = { at: deps.clock.now(), actor: actor.userId, action: 'customer.logged_out', subject: userId, ip: caller.ip };
        await recordAboutUser(tx, { ...entry, after: { reason } });
        const sentence = 'Our team logged you out on every device, and links to log in that you hadn’t used no longer work.';
        await enqueueSecurityEmail(deps, tx, userId, sentence, 'You were logged out everywhere');
      });
      return { done: true };
    },
  };
}
