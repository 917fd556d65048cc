import type { operatorPeopleApi } from '@portal/contract/operator-people.ts';
import type { Tx } from '@portal/db/database.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Caller, Handlers } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { requestInvitation, requestLink, requestRoles } from './access-actions.ts';
import { enqueueDisabledEmails } from './access-emails.ts';
import { disableOperator, endOperatorSessions, type AccountChange } from './operator-accounts.ts';
import { listOwnAccounts, recordOwnAccount } from './own-accounts.ts';
import { listOperators } from './operator-people-queries.ts';

export function operatorPeopleHandlers(deps: AppDeps): Handlers<typeof operatorPeopleApi> {
  /** Removing access needs only one administrator, so that a stolen account is closed immediately. */
  const change = async (
    call: { actor: Actor; caller: Caller; input: { user_id: string } },
    reason: string,
    apply: (tx: Tx, change: AccountChange) => Promise<void>,
  ) => {
    await deps.database.db.transaction((tx) => apply(tx, { by: call.actor.userId, requestedBy: null, ip: call.caller.ip }));
    deps.recordSecurityEvent('operator_access_changed', { reason, userId: call.input.user_id });
    return { done: true } as const;
  };
  return {
    list: async () => ({ people: await listOperators(deps) }),
    invite: (call) => requestInvitation(deps, call),
    changeRoles: (call) => requestRoles(deps, call),
    renewLink: (call) => requestLink(deps, call),
    disable: (call) =>
      change(call, 'operator.disabled', async (tx, disabledBy) => {
        const { user_id: userId } = call.input;
        if (await disableOperator(deps, tx, disabledBy, userId)) await enqueueDisabledEmails(deps, tx, disabledBy.by, userId);
      }),
    endSessions: (call) =>
      change(call, 'operator.sessions_ended', (tx, endedBy) => endOperatorSessions(deps, tx, endedBy, call.input.user_id)),
    listOwnAccounts: ({ actor }) => listOwnAccounts(deps, actor.userId),
    recordOwnAccount: (call) => recordOwnAccount(deps, call),
  };
}
