/**
 * Giving access to the operator pages takes two administrators. The other administrators and the money laundering reporting officer are
 * notified immediately of each request and of who was given access; the invited operator gets the link.
 */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { operators, users } from '@portal/db/schema/schema.ts';
import { OPERATOR_ROLE_NAMES, type OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import { and, eq, isNotNull, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { createEnrolmentLink } from './operator-accounts.ts';

const NOTIFIED_ROLES: readonly OperatorRole[] = ['administrator', 'mlro'];

const EMAILED_LINK_TTL_MS = 24 * 3_600_000;

type AccessRequest = { readonly requestedBy: string; readonly subject: string; readonly description: string; readonly reason: string };

/** Asks the other administrators to decide, and notifies the reporting officer. `subject`: the user whose access would change. */
export async function enqueueRequestEmails(deps: AppDeps, tx: Tx, request: AccessRequest): Promise<void> {
  const { requestedBy, subject, description, reason } = request;
  const activeOperators = await listActiveOperators(tx);
  const by = getOperatorName(activeOperators, requestedBy);
  for (const { email } of activeOperators.filter((item) => isNotified(item) && item.id !== requestedBy && item.id !== subject)) {
    await enqueueEmail(deps, tx, email, {
      subject: 'Operators’ access: approval needed',
      preheader: `${by} needs a second administrator’s approval.`,
      heading: 'A change to operator access needs your approval',
      paragraphs: [
        `${by} asks: ${description}`,
        'Another administrator must approve or reject it. Approve it only if you know the person and expected the change.',
      ],
      facts: [['Reason', reason]],
      action: { label: 'Open operators', path: PAGES.adminPeople.path },
      reason: explainRole(deps),
    });
  }
}

type AccessChange = { readonly requestedBy: string; readonly approvedBy: string; readonly userId: string; readonly what: string };

export async function enqueueAccessEmails(deps: AppDeps, tx: Tx, { requestedBy, approvedBy, userId, what }: AccessChange): Promise<void> {
  const activeOperators = await listActiveOperators(tx);
  const [user] = await tx
    .select({ name: users.fullName, email: users.email, roles: operators.roles })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.userId))
    .where(eq(operators.userId, userId));
  if (!user) return;
  const summary = `${getOperatorName(activeOperators, requestedBy)} ${what}, and ${getOperatorName(activeOperators, approvedBy)} approved it.`;
  for (const { email } of activeOperators.filter((item) => isNotified(item) && item.id !== approvedBy && item.id !== userId)) {
    await enqueueEmail(deps, tx, email, {
      subject: `Operators’ access: ${user.name}`,
      preheader: summary,
      heading: 'An operator’s access was changed',
      paragraphs: [`${summary} If you didn’t expect this, disable the account and contact them now.`],
      facts: [
        ['Operator', `${user.name} (${user.email})`],
        ['Roles', user.roles.map((role) => OPERATOR_ROLE_NAMES[role]).join(', ')],
      ],
      action: { label: 'Open operators', path: PAGES.adminPeople.path },
      reason: explainRole(deps),
    });
  }
}

/** Emails the single-use link that an operator uses to set up their second factor. */
export async function enqueueInvitation(deps: AppDeps, tx: Tx, userId: string): Promise<void> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (!user) return;
  const { brand } = deps.site;
  const token = await createEnrolmentLink(deps, tx, userId, EMAILED_LINK_TTL_MS);
  await enqueueEmail(deps, tx, user.email, {
    subject: `Set up your operator access to ${brand}`,
    preheader: 'The link works once, within 24 hours.',
    heading: 'Set up your operator access',
    paragraphs: [
      `Two administrators have given you access to the operator pages of ${brand}.`,
      'The link logs you in. You then set up a passkey or an authenticator app, which you’ll need every time you log in.',
    ],
    action: { label: 'Set up access', path: `${PAGES.useLink.path}?token=${token}` },
    notes: ['The link works once, within 24 hours. Don’t forward it: it works for anyone who has it.'],
    reason: `You’re receiving this because an administrator of ${brand} entered your email address.`,
  });
}

type ActiveOperator = { readonly id: string; readonly email: string; readonly name: string; readonly roles: readonly OperatorRole[] };

function listActiveOperators(tx: Tx): Promise<ActiveOperator[]> {
  return tx
    .select({ id: users.id, email: users.email, name: users.fullName, roles: operators.roles })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.userId))
    .where(and(isNull(operators.disabledAt), isNotNull(operators.enrolledAt)));
}

function isNotified({ roles }: ActiveOperator): boolean {
  return roles.some((role) => NOTIFIED_ROLES.includes(role));
}

function getOperatorName(active: readonly ActiveOperator[], userId: string): string {
  return active.find(({ id }) => id === userId)?.name ?? 'An operator';
}

function explainRole({ site }: AppDeps): string {
  return `You’re receiving this because you’re an administrator or the reporting officer of ${site.brand}.`;
}
