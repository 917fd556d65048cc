import { COMPANY_RIGHTS, hasCompanyRight, type CompanyAccess } from '@portal/contract/company-rights.ts';
import type { Tx } from '@portal/db/database.ts';
import { memberships } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { isTraderRole } from '@portal/domain/identity/roles.ts';
import { and, eq } from '@portal/db/sql.ts';

/**
 * Throws if the user has lost the right since their request was authorised: a call to HMRC or to a bank takes seconds, in which an owner may
 * remove them.
 */
export async function assertStillHasRight(tx: Tx, access: CompanyAccess, companyId: string, userId: string): Promise<void> {
  const [member] = await tx
    .select({ role: memberships.role, permissions: memberships.permissions })
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId)))
    .for('share');
  if (member && isTraderRole(member.role) && hasCompanyRight(access, member.role, member.permissions)) return;
  const { name } = COMPANY_RIGHTS[access];
  const message = `You’ve just lost the right “${name}”, so nothing was saved. Ask an owner of the company.`;
  throw new AppError('forbidden', 'company_people.right_missing', message);
}
