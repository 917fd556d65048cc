/** A practice's logo and colour, as its clients see them. */
import type { PracticeBrand } from '@portal/contract/practice-brand.ts';
import type { Db } from '@portal/db/database.ts';
import { companies, practiceBrands } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { toReadableColour } from '@portal/domain/practice/brand-colour.ts';
import { createNotFoundError } from '../../http/policies.ts';

/** The background colours of the web app’s cards (apps/web/src/core/tokens.ts). */
const LIGHT_BACKGROUND = '#FFFFFF';
const DARK_BACKGROUND = '#1A1D20';

export async function getBrand(db: Db, companyId: string): Promise<PracticeBrand> {
  const [foundBrand] = await db
    .select({ name: companies.name, colour: practiceBrands.colour, logo: practiceBrands.logo })
    .from(companies)
    .leftJoin(practiceBrands, eq(practiceBrands.companyId, companies.id))
    .where(eq(companies.id, companyId));
  if (!foundBrand) throw createNotFoundError();
  const { name, colour, logo } = foundBrand;
  const lightColour = colour === null ? undefined : toReadableColour(colour, LIGHT_BACKGROUND);
  const darkColour = colour === null ? undefined : toReadableColour(colour, DARK_BACKGROUND);
  return {
    name,
    colour,
    shades: lightColour === undefined || darkColour === undefined ? null : { light: lightColour, dark: darkColour },
    logo: logo === null ? null : `data:image/png;base64,${Buffer.from(logo).toString('base64')}`,
  };
}
