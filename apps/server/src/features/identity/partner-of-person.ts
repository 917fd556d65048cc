import type { Db } from '@portal/db/database.ts';
import { users } from '@portal/db/schema/schema.ts';
import { ORGANIC } from '@portal/domain/partners/partner-name.ts';
import { eq } from 'drizzle-orm';

/** The partner whose terms a person signed up on. */
export async function partnerOfPerson(db: Db, userId: string): Promise<string> {
  const [person] = await db.select({ partner: users.partner }).from(users).where(eq(users.id, userId));
  return person?.partner ?? ORGANIC;
}
