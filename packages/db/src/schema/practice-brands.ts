/** A practice's branding for its clients. See docs/decisions/0062-clients-files.md. */
import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { companyId, fileBytes, instant } from './columns.ts';
import { companies, users } from './identity.ts';

export const practiceBrands = pgTable('practice_brands', {
  companyId: companyId()
    .primaryKey()
    .references(() => companies.id),
  /**
   * The colour that the practice chose, "#RRGGBB"; null for our default. It is adjusted where it is shown
   * (domain/practice/brand-colour.ts).
   */
  colour: text('colour'),
  /** A PNG that we re-encoded; null without a logo. */
  logo: fileBytes('logo'),
  updatedBy: uuid('updated_by')
    .notNull()
    .references(() => users.id),
  updatedAt: instant('updated_at').notNull(),
});
