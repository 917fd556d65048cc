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
import { enqueueAccessEmails } from './access-emails.ts';
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
        const userId = await addOperator(deps, tx, by, { email, fullName, roles, privateEmail });
        await enqueueInvitation(deps, tx, userId);
        await enqueueAccessEmails(deps, tx, { changedBy: by.by, userId, what: 'invited a new operator' });
      }),
    changeRoles: (call) =>
      change(call, async (tx, by) => {
        const { user_id: userId, roles } = call.input;
        await setRoles(deps, tx, by, userId, roles);
        await enqueueAccessEmails(deps, tx, { changedBy: by.by, userId, what: 'changed an operator’s roles' });
      }),
    disable: (call) => change(call, (tx, by) => disableOperator(deps, tx, by, call.input.user_id)),
    renewLink: (call) =>
      change(call, async (tx, by) => {
        await restartEnrolment(deps, tx, by, call.input.user_id);
        await enqueueInvitation(deps, tx, call.input.user_id);
        await enqueueAccessEmails(deps, tx, {
          changedBy: by.by,
          userId: call.input.user_id,
          what: 'sent an operator a new enrolment link',
        });
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
