/**
 * Giving access to the operator pages takes two administrators. Every other operator is emailed immediately about each request, about who was
 * given access and about who lost it, so that two administrators can't do it unseen; the invited operator gets the link.
 */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { operators, users } from '@portal/db/schema/schema.ts';
import { OPERATOR_ROLE_NAMES, type OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { and, eq, isNotNull, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { findFirstDay, findFirstDays } from '../operators/new-access.ts';
import { createEnrolmentLink } from './operator-accounts.ts';

const EMAILED_LINK_TTL_MS = 24 * 3_600_000;

type AccessRequest = { readonly requestedBy: string; readonly subject: string; readonly description: string; readonly reason: string };

/** Asks the other administrators to decide, and informs everyone else. `subject`: the user whose access would change. */
export async function enqueueRequestEmails(deps: AppDeps, tx: Tx, request: AccessRequest): Promise<void> {
  const { requestedBy, subject, description, reason } = request;
  const activeOperators = await listActiveOperators(tx);
  const by = getOperatorName(activeOperators, requestedBy);
  for (const item of activeOperators.filter(({ id }) => id !== requestedBy && id !== subject)) {
    const isDecider = isAdministrator(item);
    await enqueueEmail(deps, tx, item.email, {
      subject: isDecider ? 'Operators’ access: approval needed' : 'Operators’ access: change requested',
      preheader: isDecider ? `${by} needs a second administrator’s approval.` : `${by} requested a change to operator access.`,
      heading: isDecider ? 'A change to operator access needs your approval' : 'A change to operator access was requested',
      paragraphs: [
        `${by} asks: ${description}`,
        isDecider
          ? 'Another administrator must approve or reject it. Approve it only if you know the person and expected the change.'
          : 'Another administrator must approve it. If you don’t know the person or didn’t expect this, object now.',
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
  const user = await findOperator(tx, userId);
  if (!user) return;
  const summary = `${getOperatorName(activeOperators, requestedBy)} ${what}, and ${getOperatorName(activeOperators, approvedBy)} approved it.`;
  const firstDay = findFirstDay(await findFirstDays(tx, deps.clock.now()), { userId, email: user.email });
  for (const item of activeOperators.filter(({ id }) => id !== approvedBy && id !== userId)) {
    await enqueueEmail(deps, tx, item.email, {
      subject: `Operators’ access: ${user.name}`,
      preheader: summary,
      heading: 'An operator’s access was changed',
      paragraphs: [`${summary} ${explainObjection(item, 'disable the account and contact them now')}`],
      facts: [
        ['Operator', `${user.name} (${user.email})`],
        ['Roles', user.roles.map((role) => OPERATOR_ROLE_NAMES[role]).join(', ')],
        ...(firstDay === undefined ? [] : [['Can decide about money from', formatDate(firstDay)] as const]),
      ],
      action: { label: 'Open operators', path: PAGES.adminPeople.path },
      reason: explainRole(deps),
    });
  }
}

/** Informs the disabled operator too: someone may remove them so that they can't object to something else. */
export async function enqueueDisabledEmails(deps: AppDeps, tx: Tx, disabledBy: string, userId: string): Promise<void> {
  const activeOperators = await listActiveOperators(tx);
  const user = await findOperator(tx, userId);
  if (!user) return;
  const summary = `${getOperatorName(activeOperators, disabledBy)} disabled the operator account of ${user.name} (${user.email}).`;
  for (const item of [...activeOperators.filter(({ id }) => id !== disabledBy), user]) {
    await enqueueEmail(deps, tx, item.email, {
      subject: `Operators’ access: ${user.name}`,
      preheader: summary,
      heading: 'An operator’s access was ended',
      paragraphs: [`${summary} ${explainObjection(item, 'contact them both now')}`],
      action: { label: 'Open operators', path: PAGES.adminPeople.path },
      reason: explainRole(deps),
    });
  }
}

function explainObjection(item: ActiveOperator, administratorAction: string): string {
  if (isAdministrator(item)) return `If you didn’t expect this, ${administratorAction}.`;
  return 'If you didn’t expect this, tell an administrator who took no part in it, or the firm’s directors: one administrator can disable an account at once.';
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

const OPERATOR_FIELDS = { id: users.id, email: users.email, name: users.fullName, roles: operators.roles };

function listActiveOperators(tx: Tx): Promise<ActiveOperator[]> {
  return tx
    .select(OPERATOR_FIELDS)
    .from(operators)
    .innerJoin(users, eq(users.id, operators.userId))
    .where(and(isNull(operators.disabledAt), isNotNull(operators.enrolledAt)));
}

async function findOperator(tx: Tx, userId: string): Promise<ActiveOperator | undefined> {
  const [operator] = await tx
    .select(OPERATOR_FIELDS)
    .from(operators)
    .innerJoin(users, eq(users.id, operators.userId))
    .where(eq(operators.userId, userId));
  return operator;
}

function isAdministrator({ roles }: ActiveOperator): boolean {
  return roles.includes('administrator');
}

function getOperatorName(active: readonly ActiveOperator[], userId: string): string {
  return active.find(({ id }) => id === userId)?.name ?? 'An operator';
}

function explainRole({ site }: AppDeps): string {
  return `You’re receiving this because you’re an operator of ${site.brand}.`;
}
