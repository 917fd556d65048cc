import type { Db, Tx } from '@portal/db/database.ts';
import { users } from '@portal/db/schema/schema.ts';
import { ORGANIC } from '@portal/domain/partners/partner-name.ts';
import { eq } from 'drizzle-orm';

/** The partner whose terms a person signed up on. */
export async function partnerOfPerson(db: Db, userId: string): Promise<string> {
  const [person] = await db.select({ partner: users.partner }).from(users).where(eq(users.id, userId));
  return person?.partner ?? ORGANIC;
}

/** Who referred a person, first and last. Whoever referred the person referred the companies and the practice that they add. */
export async function referralOfPerson(tx: Tx, userId: string) {
  const { partner, firstPartner, firstPartnerAt, lastPartner, lastPartnerAt } = users;
  const [referral] = await tx
    .select({ partner, firstPartner, firstPartnerAt, lastPartner, lastPartnerAt })
    .from(users)
    .where(eq(users.id, userId));
  return referral;
}
