/**
 * One administrator could invite accounts of their own, approve with one and release with another. So every other administrator and the money
 * laundering reporting officer learn at once who got which access, and from whom.
 */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { operators, users } from '@portal/db/schema/schema.ts';
import { OPERATOR_ROLE_NAMES, type OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';

const NOTIFIED_ROLES: readonly OperatorRole[] = ['administrator', 'mlro'];

type AccessChange = { readonly changedBy: string; readonly userId: string; readonly what: string };

export async function enqueueAccessEmails(deps: AppDeps, tx: Tx, { changedBy, userId, what }: AccessChange): Promise<void> {
  const active = await tx
    .select({ id: users.id, email: users.email, name: users.fullName, roles: operators.roles })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.userId))
    .where(and(isNull(operators.disabledAt), isNotNull(operators.enrolledAt)));
  const [person] = await tx
    .select({ name: users.fullName, email: users.email, roles: operators.roles })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.userId))
    .where(eq(operators.userId, userId));
  if (!person) return;
  const by = active.find(({ id }) => id === changedBy)?.name ?? 'Someone at the command line';
  const notified = active.filter(
    ({ id, roles }) => id !== changedBy && id !== userId && roles.some((role) => NOTIFIED_ROLES.includes(role)),
  );
  for (const { email } of notified) {
    await enqueueEmail(deps, tx, email, {
      subject: `Operators’ access: ${person.name}`,
      preheader: `${by} ${what}.`,
      heading: 'An operator’s access was changed',
      paragraphs: [`${by} ${what}. If you didn’t expect this, disable the account and ask ${by} now.`],
      facts: [
        ['Operator', `${person.name} (${person.email})`],
        ['Roles', person.roles.map((role) => OPERATOR_ROLE_NAMES[role]).join(', ')],
      ],
      action: { label: 'Open people', path: PAGES.adminPeople.path },
      reason: `You’re receiving this because you’re an administrator or the reporting officer of ${deps.site.brand}.`,
    });
  }
}
