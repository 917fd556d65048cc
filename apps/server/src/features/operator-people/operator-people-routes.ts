import type { operatorPeopleApi } from '@portal/contract/operator-people.ts';
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { users } from '@portal/db/schema/schema.ts';
import { eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Caller, Handlers } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import {
  addOperator,
  createEnrolmentLink,
  disableOperator,
  endOperatorSessions,
  restartEnrolment,
  setRoles,
  type AccountChange,
} from './operator-accounts.ts';
import { listOwnAccounts, recordOwnAccount } from './own-accounts.ts';
import { listOperators } from './operator-people-queries.ts';

const EMAILED_LINK_TTL_MS = 24 * 3_600_000;

export function operatorPeopleHandlers(deps: AppDeps): Handlers<typeof operatorPeopleApi> {
  const change = async (call: { actor: Actor; caller: Caller }, apply: (tx: Tx, change: AccountChange) => Promise<void>) => {
    const by = { by: call.actor.userId, administratorId: call.actor.userId, ip: call.caller.ip };
    await deps.database.db.transaction((tx) => apply(tx, by));
    return { done: true } as const;
  };
  return {
    list: async () => ({ people: await listOperators(deps) }),
    invite: (call) =>
      change(call, async (tx, by) => {
        const { email, full_name: fullName, roles, private_email: privateEmail = null } = call.input;
        await enqueueInvitation(deps, tx, await addOperator(deps, tx, by, { email, fullName, roles, privateEmail }));
      }),
    changeRoles: (call) => change(call, (tx, by) => setRoles(deps, tx, by, call.input.user_id, call.input.roles)),
    disable: (call) => change(call, (tx, by) => disableOperator(deps, tx, by, call.input.user_id)),
    renewLink: (call) =>
      change(call, async (tx, by) => {
        await restartEnrolment(deps, tx, by, call.input.user_id);
        await enqueueInvitation(deps, tx, call.input.user_id);
      }),
    listOwnAccounts: ({ actor }) => listOwnAccounts(deps, actor.userId),
    recordOwnAccount: (call) => recordOwnAccount(deps, call),
    endSessions: (call) => change(call, (tx, by) => endOperatorSessions(deps, tx, by, call.input.user_id)),
  };
}

async function enqueueInvitation(deps: AppDeps, tx: Tx, userId: string): Promise<void> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (!user) return;
  const { brand } = deps.site;
  const token = await createEnrolmentLink(deps, tx, userId, EMAILED_LINK_TTL_MS);
  await enqueueEmail(deps, tx, user.email, {
    subject: `Set up your operator access to ${brand}`,
    preheader: 'The link works once, within 24 hours.',
    heading: 'Set up your operator access',
    paragraphs: [
      `An administrator has given you access to the operators’ pages of ${brand}.`,
      'The link logs you in. Then you set up a passkey or an authenticator app, which you need every time you log in.',
    ],
    action: { label: 'Set up access', path: `${PAGES.useLink.path}?token=${token}` },
    notes: ['The link works once, within 24 hours. Don’t forward it: it works for anyone who has it.'],
    reason: `You’re receiving this because an administrator of ${brand} entered your email address.`,
  });
}
