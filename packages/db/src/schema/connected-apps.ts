/** Apps that users connect with OAuth: registrations, grants and tokens. See docs/decisions/0067-mcp-server.md. */
import type { ConnectedAppScope } from '@portal/domain/developers/connected-apps.ts';
import { foreignKey, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant } from './columns.ts';
import { companies, users } from './identity.ts';

/** An app that registered itself (RFC 7591), before any user has consented. Any app can register. */
export const registeredApps = pgTable('programs', {
  id: uuid('id').primaryKey(),
  /** The name that the app gives itself, which is never verified. */
  name: text('name').notNull(),
  redirectUris: text('redirect_uris').array().$type<readonly string[]>().notNull(),
  createdAt: instant('created_at').notNull(),
});

/** A user's consent for an app to act for them in one practice. All times are by the wall clock, as for sessions. */
export const connectedAppGrants = pgTable(
  'program_grants',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** The OAuth client ID: an ID in `programs`, or the URL of the app's metadata document. */
    clientId: text('client_id').notNull(),
    /** The name shown to the user when they consented. */
    name: text('name').notNull(),
    redirectHost: text('redirect_host').notNull(),
    scopes: text('scopes').array().$type<readonly ConnectedAppScope[]>().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    lastUsedAt: instant('last_used_at'),
    endedAt: instant('ended_at'),
    /** Null if a rule or the app itself ended the grant. */
    endedBy: uuid('ended_by').references(() => users.id),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('program_grants_user').on(table.userId),
    index('program_grants_client').on(table.clientId),
  ],
);

/** Codes, access tokens and refresh tokens of a grant, as hashes. A used token is kept until it expires, so that reuse can be detected. */
export const connectedAppTokens = pgTable(
  'program_tokens',
  {
    companyId: companyId(),
    tokenHash: text('token_hash').notNull(),
    grantId: uuid('grant_id').notNull(),
    kind: text('kind').$type<'code' | 'access' | 'refresh'>().notNull(),
    scopes: text('scopes').array().$type<readonly ConnectedAppScope[]>().notNull(),
    /** The URL that the token is for (RFC 8707). */
    resource: text('resource').notNull(),
    /** Set only for a code. */
    codeChallenge: text('code_challenge'),
    redirectUri: text('redirect_uri'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.tokenHash] }),
    uniqueIndex('program_tokens_hash').on(table.tokenHash),
    index('program_tokens_grant').on(table.companyId, table.grantId),
    index('program_tokens_expiry').on(table.expiresAt),
    foreignKey({
      columns: [table.companyId, table.grantId],
      foreignColumns: [connectedAppGrants.companyId, connectedAppGrants.id],
    }).onDelete('cascade'),
  ],
);
