/** Partner contacts, and the agents that traders have appointed. The partners themselves are in a table in the domain. */
import { sql } from '../sql.ts';
import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant } from './columns.ts';
import { users } from './identity.ts';

/**
 * A partner's users who may see the stages of its referrals. Operators add and remove them. The table doesn't belong to a tenant, so it
 * doesn't have a tenant key.
 */
export const partnerContacts = pgTable(
  'partner_contacts',
  {
    /** A name from the partner table. */
    partner: text('partner').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    addedAt: instant('added_at').notNull(),
    addedBy: uuid('added_by').notNull(),
  },
  (table) => [primaryKey({ columns: [table.partner, table.userId] }), index('partner_contacts_user').on(table.userId)],
);

/** The accountants that a trader has appointed as its agent with us, including former ones. Independent of an agent's authority at HMRC. */
export const companyAgents = pgTable(
  'company_agents',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    partner: text('partner').notNull(),
    /** The consent text shown when the agent was set. */
    consentText: text('consent_text').notNull(),
    setAt: instant('set_at').notNull(),
    setBy: uuid('set_by').notNull(),
    endedAt: instant('ended_at'),
    endedBy: uuid('ended_by'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('company_agents_one')
      .on(table.companyId)
      .where(sql`${table.endedAt} is null`),
    // A partner's page reads across tenants, so this index starts with the partner.
    index('company_agents_partner').on(table.partner, table.companyId),
  ],
);
