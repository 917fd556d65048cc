import type { Actor } from '../../http/session.ts';
import type { Role } from '@portal/domain/identity/roles.ts';
import { stepPath } from '@portal/contract/onboarding.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { practiceStepPath } from '@portal/contract/practice.ts';
import type { Db } from '@portal/db/database.ts';
import { memberships, users } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { asc, eq } from '@portal/db/sql.ts';
import { getPersonPartner } from './person-partner.ts';
import { listOwnPartners } from '../partners/partner-contacts.ts';
import { findProgress } from '../onboarding/find-progress.ts';
import { findPracticeProgress } from '../practice/find-practice.ts';

export type PersonType = 'trader' | 'practice' | 'client' | 'operator' | 'new';

/** The type of user and their home page. Clients of practices have no area in this version; their /home page says so. */
export async function getHome(
  db: Db,
  person: { readonly userId: string; readonly operatorStatus?: Actor['operatorStatus'] | undefined },
  now: Instant,
): Promise<{ type: PersonType; home_path: string }> {
  if (person.operatorStatus === 'active') return { type: 'operator', home_path: PAGES.adminQueues.path };
  if (person.operatorStatus !== undefined) return { type: 'operator', home_path: PAGES.adminEnrolment.path };
  const roles = await db
    .select({ companyId: memberships.companyId, role: memberships.role })
    .from(memberships)
    .where(eq(memberships.userId, person.userId))
    .orderBy(asc(memberships.createdAt));
  const [first] = roles;
  // A partner's contact may have no company of their own.
  if (!first && (await listOwnPartners(db, person.userId)).length > 0) return { type: 'new', home_path: PAGES.partnerReferrals.path };
  if (!first) return { type: 'new', home_path: await getFirstStep(db, person.userId) };
  if (first.role === 'client') return { type: 'client', home_path: '/home' };
  if (first.role !== 'trader_owner') return { type: 'practice', home_path: await getPracticeHome(db, person.userId, first, now) };
  const progress = await findProgress(db, person.userId, first.companyId);
  const step = progress.next_step;
  // Only the payout needs the identity check. At this step the user goes to the dashboard, which asks for it.
  const path =
    step === null || step === 'identity' ? '/v2/instant-vat/dashboard' : stepPath(step, await getPersonPartner(db, person.userId));
  return { type: 'trader', home_path: `${path}?company_id=${first.companyId}` };
}

/** A user without company or practice continues with the product they signed up for. */
async function getFirstStep(db: Db, userId: string): Promise<string> {
  const [user] = await db.select({ product: users.product }).from(users).where(eq(users.id, userId));
  return user?.product === 'open_tax' ? practiceStepPath('practice') : stepPath('company', await getPersonPartner(db, userId));
}

/** A practice's dashboard, or the next step for an admin whose sign-up is not complete. */
async function getPracticeHome(
  db: Db,
  person: string,
  { companyId, role }: { companyId: string; role: Role },
  now: Instant,
): Promise<string> {
  const query = `?company_id=${companyId}`;
  if (role !== 'practice_admin') return PAGES.practiceDashboard.path + query;
  const { next_step: step, clients } = await findPracticeProgress(db, person, companyId, now);
  const isSetUp = clients > 0 || step === null || step === 'import';
  return (isSetUp ? PAGES.practiceDashboard.path : practiceStepPath(step)) + query;
}
