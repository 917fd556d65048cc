import type { customerSessionsApi } from '@portal/contract/customer-sessions.ts';
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { operators, users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { findAccessError } from '../../http/policies.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { recordAboutUser } from '../audit/record-about-user.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { endAllSignIns, endPendingAccess, endKeysAndApps } from '../identity/end-sign-ins.ts';
import { getSecurityReason } from '../identity/link-emails.ts';
import { removeSignInMethods } from './remove-sign-in-methods.ts';

export function customerSessionsHandlers(deps: AppDeps): Handlers<typeof customerSessionsApi> {
  return {
    end: async ({ input, actor, caller }) => {
      const { user_id: userId, reason, removes_methods: removesMethods } = input;
      // A customer without a second factor is only as safe as their mailbox, so support can't do this alone.
      const roleError = removesMethods ? findAccessError('operator.manage', actor) : undefined;
      if (roleError) throw roleError;
      await deps.database.db.transaction(async (tx) => {
        const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId)).for('update');
        if (!user) throw new AppError('notFound', 'customer.not_found', 'This person doesn’t exist. Reload the page.');
        const [operator] = await tx.select({ userId: operators.userId }).from(operators).where(eq(operators.userId, userId));
        // Otherwise anyone on the team could log an administrator out while something is being decided.
        if (operator) throw new AppError('conflict', 'customer.is_operator', 'Operators are logged out by an administrator, under People.');
        // The person who took the account over may know the password, so it would let them in again.
        await tx.update(users).set({ passwordHash: null }).where(eq(users.id, userId));
        await endAllSignIns(tx, userId);
        await endPendingAccess(tx, { id: userId, email: user.email }, deps.wallClock.now());
        const endedKeys = await endKeysAndApps(tx, userId, deps.wallClock.now());
        const removed = removesMethods ? await removeSignInMethods(tx, userId) : [];
        const entry = { at: deps.clock.now(), actor: actor.userId, action: 'customer.logged_out', subject: userId, ip: caller.ip };
        await recordAboutUser(tx, { ...entry, after: { reason, ...(removesMethods ? { removed_methods: removed.length } : {}) } });
        await enqueueLoggedOutEmail(deps, tx, user.email, { endedKeys, removed });
      });
      return { done: true };
    },
  };
}

type EndedAccess = { readonly endedKeys: readonly string[]; readonly removed: readonly string[] };

function enqueueLoggedOutEmail(deps: AppDeps, tx: Tx, email: string, { endedKeys, removed }: EndedAccess): Promise<void> {
  const { brand } = deps.site;
  const list = (items: readonly string[]): string => new Intl.ListFormat('en-GB').format(items);
  const ended = list(['password', 'unused links to log in', ...endedKeys]);
  return enqueueEmail(deps, tx, email, {
    subject: `You were logged out everywhere: ${brand}`,
    preheader: 'Set a new password to log in again.',
    heading: 'You were logged out everywhere',
    paragraphs: [
      `Our team logged you out on every device. Your ${ended} have stopped working. Set a new password, or log in with an emailed link.`,
      ...(removed.length === 0 ? [] : [`We’ve removed ${list(removed)}. If they’re yours, add them again in your profile.`]),
    ],
    action: { label: 'Set a new password', path: PAGES.resetPassword.path },
    notes: ['If you didn’t ask for this, contact us.'],
    reason: getSecurityReason(brand),
  });
}
