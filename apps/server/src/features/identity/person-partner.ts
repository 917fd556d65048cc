import type { Db, Tx } from '@portal/db/database.ts';
import { users } from '@portal/db/schema/schema.ts';
import { ORGANIC_PARTNER } from '@portal/domain/partners/partner-name.ts';
import { eq } from '@portal/db/sql.ts';

/** Returns the partner whose terms applied when the user signed up. */
export async function getPersonPartner(db: Db, userId: string): Promise<string> {
  const [user] = await db.select({ partner: users.partner }).from(users).where(eq(users.id, userId));
  return user?.partner ?? ORGANIC_PARTNER;
}

/** Finds the first and last partner that referred a user. They also count as referrers of the companies and practice that the user adds. */
export async function findPersonReferral(tx: Tx, userId: string) {
  const { partner, firstPartner, firstPartnerAt, lastPartner, lastPartnerAt } = users;
  const [referral] = await tx
    .select({ partner, firstPartner, firstPartnerAt, lastPartner, lastPartnerAt })
    .from(users)
    .where(eq(users.id, userId));
  return referral;
}
