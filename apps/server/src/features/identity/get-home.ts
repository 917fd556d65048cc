import type { Actor } from '../../http/session.ts';
import { isTraderRole, type Role } from '@portal/domain/identity/roles.ts';
import { getStepPath } from '@portal/contract/onboarding.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { getPracticeStepPath } from '@portal/contract/practice.ts';
import type { Db } from '@portal/db/database.ts';
import { clientPeople, memberships, users } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, asc, eq, ne } from '@portal/db/sql.ts';
import { getClientHome } from '../client-portal/own-clients.ts';
import { getPersonPartner } from './person-partner.ts';
import { listOwnPartners } from '../partners/partner-contacts.ts';
import { findProgress } from '../onboarding/find-progress.ts';
import { findPracticeProgress } from '../practice/find-practice.ts';

export type PersonType = 'trader' | 'practice' | 'client' | 'operator' | 'new';

/**
 * Returns the type of user and their home page. For someone who works for a company or practice and is also a client, that is the page for
 * their work.
 */
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
    // Only client_people makes someone a client.
    .where(and(eq(memberships.userId, person.userId), ne(memberships.role, 'client')))
    .orderBy(asc(memberships.createdAt));
  const [first] = roles;
  const client = first ? undefined : await findFirstClient(db, person.userId);
  if (client !== undefined) return { type: 'client', home_path: getClientHome(client) };
  // A partner's contact may not have a company of their own.
  if (!first && (await listOwnPartners(db, person.userId)).length > 0) return { type: 'new', home_path: PAGES.partnerReferrals.path };
  if (!first) return { type: 'new', home_path: await getFirstStep(db, person.userId) };
  if (!isTraderRole(first.role)) return { type: 'practice', home_path: await getPracticeHome(db, person.userId, first, now) };
  // Only an owner sets the company up.
  if (first.role !== 'trader_owner') return { type: 'trader', home_path: `${PAGES.dashboard.path}?company_id=${first.companyId}` };
  const progress = await findProgress(db, person.userId, first.companyId, now);
  const step = progress.next_step;
  // Only the payout needs the identity check, so at this step the user goes to the dashboard, which requests it.
  const path =
    step === null || step === 'identity' ? '/v2/instant-vat/dashboard' : getStepPath(step, await getPersonPartner(db, person.userId));
  return { type: 'trader', home_path: `${path}?company_id=${first.companyId}` };
}

async function findFirstClient(db: Db, userId: string): Promise<string | undefined> {
  const [first] = await db
    .select({ clientId: clientPeople.clientId })
    .from(clientPeople)
    .where(eq(clientPeople.userId, userId))
    .orderBy(asc(clientPeople.joinedAt), asc(clientPeople.clientId))
    .limit(1);
  return first?.clientId;
}

/** Returns the first step for a user without a company or practice, in the product they signed up for. */
async function getFirstStep(db: Db, userId: string): Promise<string> {
  const [user] = await db.select({ product: users.product }).from(users).where(eq(users.id, userId));
  return user?.product === 'open_tax' ? getPracticeStepPath('practice') : getStepPath('company', await getPersonPartner(db, userId));
}

/** Returns a practice's dashboard, or the next step for an admin whose sign-up is not complete. */
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
  return (isSetUp ? PAGES.practiceDashboard.path : getPracticeStepPath(step)) + query;
}
