/** API keys and webhooks of a tenant. See docs/decisions/0064-api-keys-and-webhooks.md. */
import type { ApiScope } from '@portal/domain/developers/api-scopes.ts';
import type { DeliveryStatus, DisabledReason, WebhookEvent } from '@portal/domain/developers/webhook-events.ts';
import { sql } from '../sql.ts';
import { foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant } from './columns.ts';
import { companies, users } from './identity.ts';

/** A key acts for one user in one company. All times are by the wall clock, as for sessions. */
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
    /** The first and last characters, to identify the key. */
    hint: text('hint').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
    /** Null if a rule ended the key, because the user left or reset their password. */
    revokedBy: uuid('revoked_by').references(() => users.id),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('api_keys_hash').on(table.keyHash),
    index('api_keys_user').on(table.userId),
  ],
);

/** The destinations of a practice's or a company's webhooks. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    url: text('url').notNull(),
    events: text('events').array().$type<readonly WebhookEvent[]>().notNull(),
    /** Encrypted, because each delivery is signed with it. */
    secret: text('secret').notNull(),
    /** The former secret, which is also used to sign until the given time. */
    formerSecret: text('former_secret'),
    formerUntil: instant('former_until'),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => users.id),
    createdAt: instant('created_at').notNull(),
    /** The time of the first failure since the last success. */
    failingSince: instant('failing_since'),
    /** Set while the endpoint is switched off, either by a user or after several days of failures. */
    disabledAt: instant('disabled_at'),
    disabledReason: text('disabled_reason').$type<DisabledReason>(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] })],
);

/** One event for one endpoint. Its ID is the `webhook-id`, which stays the same in every attempt and replay. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    endpointId: uuid('endpoint_id').notNull(),
    event: text('event').notNull(),
    /** The exact text that we sign and send. */
    body: text('body').notNull(),
    createdAt: instant('created_at').notNull(),
    status: text('status').$type<DeliveryStatus>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at'),
    lastAttemptAt: instant('last_attempt_at'),
    /** The status of the last attempt; null if there was no response. */
    responseStatus: integer('response_status'),
    /** A readable reason why the last attempt failed. */
    failure: text('failure'),
    durationMs: integer('duration_ms'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('webhook_deliveries_endpoint').on(table.companyId, table.endpointId, table.createdAt.desc(), table.id.desc()),
    index('webhook_deliveries_due')
      .on(table.nextAttemptAt)
      .where(sql`status = 'pending'`),
    foreignKey({
      columns: [table.companyId, table.endpointId],
      foreignColumns: [webhookEndpoints.companyId, webhookEndpoints.id],
    }).onDelete('cascade'),
  ],
);
