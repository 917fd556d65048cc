/** Letters of engagement. See docs/decisions/0062-clients-files.md. */
import { sql } from '../sql.ts';
import { foreignKey, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, instant } from './columns.ts';
import { companies, users } from './identity.ts';

/** The practice's own wording, used to create letters. */
export const engagementTemplates = pgTable('engagement_templates', {
  companyId: companyId()
    .primaryKey()
    .references(() => companies.id),
  text: text('text').notNull(),
  updatedBy: uuid('updated_by')
    .notNull()
    .references(() => users.id),
  updatedAt: instant('updated_at').notNull(),
});

/** A letter to one client. Its text never changes, which the digest proves. */
export const engagementLetters = pgTable(
  'engagement_letters',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    clientId: uuid('client_id').notNull(),
    text: text('text').notNull(),
    /** SHA-256 of the letter's text and the signed statement. */
    digest: text('digest').notNull(),
    sentBy: uuid('sent_by')
      .notNull()
      .references(() => users.id),
    sentAt: instant('sent_at').notNull(),
    signedBy: uuid('signed_by').references(() => users.id),
    /** The name as the signer typed it. */
    signedName: text('signed_name'),
    signedAt: instant('signed_at'),
    signedIp: text('signed_ip'),
    supersededAt: instant('superseded_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('engagement_letters_client').on(table.companyId, table.clientId, table.sentAt),
    // Only one of a client's letters is current.
    uniqueIndex('engagement_letters_current')
      .on(table.companyId, table.clientId)
      .where(sql`superseded_at is null`),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);
