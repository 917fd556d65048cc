/** A practice's logo and colour, as its clients see them. */
import type { PracticeBrand } from '@portal/contract/practice-brand.ts';
import type { Db } from '@portal/db/database.ts';
import { companies, practiceBrands } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { correctColour } from '@portal/domain/practice/brand-colour.ts';
import { createNotFoundError } from '../../http/policies.ts';

/** The background colours of the web app’s cards (apps/web/src/core/tokens.ts). */
const LIGHT_GROUND = '#FFFFFF';
const DARK_GROUND = '#1A1D20';

export async function getBrand(db: Db, companyId: string): Promise<PracticeBrand> {
  const [found] = await db
    .select({ name: companies.name, colour: practiceBrands.colour, logo: practiceBrands.logo })
    .from(companies)
    .leftJoin(practiceBrands, eq(practiceBrands.companyId, companies.id))
    .where(eq(companies.id, companyId));
  if (!found) throw createNotFoundError();
  const { name, colour, logo } = found;
  const light = colour === null ? undefined : correctColour(colour, LIGHT_GROUND);
  const dark = colour === null ? undefined : correctColour(colour, DARK_GROUND);
  return {
    name,
    colour,
    shades: light === undefined || dark === undefined ? null : { light, dark },
    logo: logo === null ? null : `data:image/png;base64,${Buffer.from(logo).toString('base64')}`,
  };
}
