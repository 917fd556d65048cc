/** What programs reach a tenant with: API keys. See docs/decisions/0064-api-keys-and-webhooks.md. */
import type { ApiScope } from '@portal/domain/developers/api-scopes.ts';
import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant } from './columns.ts';
import { companies, users } from './identity.ts';

/** A key acts for one person in one company. All times are the wall clock's, like a session's. */
export const apiKeys = pgTable(
  'api_keys',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    scopes: text('scopes').array().$type<readonly ApiScope[]>().notNull(),
    keyHash: text('key_hash').notNull(),
    /** The first and last characters, to recognise it. */
    hint: text('hint').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
    /** Null if a rule ended it: the person left, or reset their password. */
    revokedBy: uuid('revoked_by').references(() => users.id),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('api_keys_hash').on(table.keyHash),
    index('api_keys_user').on(table.userId),
  ],
);
