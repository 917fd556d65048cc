import { stepPath } from '@portal/contract/onboarding.ts';
import type { Db } from '@portal/db/database.ts';
import { memberships } from '@portal/db/schema/schema.ts';
import { asc, eq } from 'drizzle-orm';
import { partnerOfPerson } from './partner-of-person.ts';
import { findProgress } from '../onboarding/find-progress.ts';

export type PersonType = 'trader' | 'practice' | 'client' | 'operator' | 'new';

/** What a person is and the page that suits them now. People of areas that this version does not have stay at /home, which says so. */
export async function homeOf(db: Db, person: { userId: string; isOperator: boolean }): Promise<{ type: PersonType; home_path: string }> {
  if (person.isOperator) return { type: 'operator', home_path: '/admin' };
  const roles = await db
    .select({ companyId: memberships.companyId, role: memberships.role })
    .from(memberships)
    .where(eq(memberships.userId, person.userId))
    .orderBy(asc(memberships.createdAt));
  const [first] = roles;
  if (!first) return { type: 'new', home_path: stepPath('company', await partnerOfPerson(db, person.userId)) };
  if (first.role === 'client') return { type: 'client', home_path: '/home' };
  if (first.role !== 'trader_owner') return { type: 'practice', home_path: '/home' };
  const progress = await findProgress(db, person.userId, first.companyId);
  const step = progress.next_step;
  // Only the payout needs the identity check: whoever has come so far wants their dashboard, which asks for it.
  const path =
    step === null || step === 'identity' ? '/v2/instant-vat/dashboard' : stepPath(step, await partnerOfPerson(db, person.userId));
  return { type: 'trader', home_path: `${path}?company_id=${first.companyId}` };
}
