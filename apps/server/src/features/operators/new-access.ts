/**
 * Two administrators could give access to accounts of their own and use them as several people. So access that they give can't be used to
 * decide about money at once: every operator is emailed, and a single administrator can still disable the account.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { approvalRequests, users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { getFirstDayOfAccess } from '@portal/domain/operators/new-access.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq, gt, inArray } from '@portal/db/sql.ts';
import { NO_COMPANY } from '../audit/record-audit.ts';

/** The actions in operator-people/access-actions.ts. What `npm run operator` gives has no request and no wait. */
export const ACCESS_ACTIONS = {
  invite: 'operator.invite',
  changeRoles: 'operator.change_roles',
  renewLink: 'operator.renew_link',
} as const;

/** Returns whether a request of two people is about an operator's access, which a new administrator may decide at once. */
export function isAboutAccess(action: string): boolean {
  return Object.values<string>(ACCESS_ACTIONS).includes(action);
}

/** Longer than any wait, which has at most two working days. */
const RECENT_MS = 14 * 86_400_000;

/** Throws if the operator got access, or another role, too recently to decide about money. */
export async function assertAccessIsNotNew(db: Db | Tx, now: Instant, userId: string): Promise<void> {
  const firstDays = await findFirstDays(db, now);
  if (firstDays.size === 0) return;
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  const firstDay = findFirstDay(firstDays, { userId, email: user?.email ?? '' });
  if (firstDay === undefined) return;
  throw new AppError(
    'forbidden',
    'operator.access_new',
    `Your access or roles are new, so you can’t do this until ${formatDate(firstDay)}. Until then, any operator can object to the change.`,
  );
}

type Subject = { readonly userId: string; readonly email: string };

/** Returns undefined if the operator's access isn't new. */
export function findFirstDay(firstDays: ReadonlyMap<string, PlainDate>, { userId, email }: Subject): PlainDate | undefined {
  return [firstDays.get(userId), firstDays.get(email)]
    .filter((day) => day !== undefined)
    .toSorted()
    .at(-1);
}

/** Returns the first day on which new access may be used, by user id or, for invitations, email address. Without those whose day has come. */
export async function findFirstDays(db: Db | Tx, now: Instant): Promise<ReadonlyMap<string, PlainDate>> {
  const requests = await db
    .select()
    .from(approvalRequests)
    .where(
      and(
        eq(approvalRequests.companyId, NO_COMPANY),
        inArray(approvalRequests.action, Object.values(ACCESS_ACTIONS)),
        eq(approvalRequests.decision, 'approved'),
        gt(approvalRequests.decidedAt, addMilliseconds(now, -RECENT_MS)),
      ),
    );
  const firstDays = new Map<string, PlainDate>();
  for (const { action, subject, details, decidedAt } of requests) {
    if (decidedAt === null || (action === ACCESS_ACTIONS.changeRoles && !addsRole(details))) continue;
    const firstDay = getFirstDayOfAccess(decidedAt);
    const known = firstDays.get(subject);
    if (firstDay > toLondonDate(now) && (known === undefined || known < firstDay)) firstDays.set(subject, firstDay);
  }
  return firstDays;
}

function addsRole(details: unknown): boolean {
  const { before, roles } = details as { before: readonly string[]; roles: readonly string[] };
  return roles.some((role) => !before.includes(role));
}
