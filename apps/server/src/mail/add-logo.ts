/** Adds a practice's logo to an outgoing email. */
import type { Db, Tx } from '@portal/db/database.ts';
import { practiceBrands } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { OutgoingEmail } from './mailer.ts';
import { LOGO_PLACEHOLDER, showLogo } from './practice-logo.ts';

async function findLogo(db: Db | Tx, companyId: string): Promise<Uint8Array | undefined> {
  const [brand] = await db.select({ logo: practiceBrands.logo }).from(practiceBrands).where(eq(practiceBrands.companyId, companyId));
  return brand?.logo ?? undefined;
}

/** Returns the outgoing email with the practice's current logo added. */
export async function addLogo<LeavingPerson extends OutgoingEmail>(db: Db | Tx, mail: LeavingPerson): Promise<LeavingPerson> {
  const logo = mail.logoOf === undefined ? undefined : await findLogo(db, mail.logoOf);
  if (logo === undefined || mail.html === undefined) return mail;
  return { ...mail, html: mail.html.replace(LOGO_PLACEHOLDER, () => showLogo(logo)), logo };
}
