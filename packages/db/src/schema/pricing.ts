/** Practices' prices: price lists, promotion codes, and each practice's selected connections. See docs/decisions/0055-pricing.md. */
import type { TierMode } from '@portal/domain/pricing/price-list.ts';
import type { PromotionKind } from '@portal/domain/pricing/promotion.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { sql } from '../sql.ts';
import { boolean, check, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, instant, pence, plainDate } from './columns.ts';
import { companies } from './identity.ts';

/** A published version of the tiers. Doesn't belong to a tenant. */
export const priceLists = pgTable(
  'price_lists',
  {
    version: integer('version').primaryKey(),
    mode: text('mode').$type<TierMode>().notNull(),
    publishedOn: plainDate('published_on').notNull(),
    effectiveFrom: plainDate('effective_from').notNull(),
    /** Null if customers of earlier lists keep their prices. */
    existingFrom: plainDate('existing_from'),
  },
  // The same number as NOTICE_DAYS in domain/pricing/price-list.ts.
  () => [check('price_lists_notice', sql`existing_from >= published_on + 60`)],
);

/** A tier of a list. Its prices are monthly and exclude VAT. */
export const priceTiers = pgTable(
  'price_tiers',
  {
    version: integer('version')
      .notNull()
      .references(() => priceLists.version),
    fromConnections: integer('from_connections').notNull(),
    /** Null for the last tier. */
    toConnections: integer('to_connections'),
    name: text('name').notNull(),
    basePence: pence('base_pence').notNull(),
    unitPence: pence('unit_pence').notNull(),
    included: integer('included').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.version, table.fromConnections] }),
    uniqueIndex('price_tiers_name').on(table.version, sql`lower(${table.name})`),
    // Ensures that the 20% VAT on each price is a whole number of pence (PRICE_STEP_PENCE).
    check('price_tiers_step', sql`base_pence >= 0 and unit_pence >= 0 and base_pence % 5 = 0 and unit_pence % 5 = 0`),
  ],
);

/** The draft of the next price list, shared by all operators. The table has at most one row, which publishing deletes. */
export const priceListDrafts = pgTable(
  'price_list_drafts',
  {
    id: integer('id').primaryKey().default(1),
    /** The draft as in the contract. It may be incomplete, in which case operators see what is missing. */
    draft: jsonb('draft').$type<unknown>().notNull(),
  },
  () => [check('price_list_drafts_one', sql`id = 1`)],
);

/** A move of existing subscribers to a published list, decided by two operators. Its ID is that of the approval request. */
export const priceMoves = pgTable('price_moves', {
  id: uuid('id').primaryKey(),
  toVersion: integer('to_version')
    .notNull()
    .references(() => priceLists.version),
  decidedAt: instant('decided_at').notNull(),
  /** When the last of the affected practices was notified. */
  noticedAt: instant('noticed_at'),
  /** When an operator cancelled the move. Practices that haven't moved keep their prices. */
  stoppedAt: instant('stopped_at'),
});

/** A promotion code, as described in domain/pricing/promotion.ts. Doesn't belong to a tenant. */
export const promotionCodes = pgTable(
  'promotion_codes',
  {
    /** In capitals. */
    code: text('code').primaryKey(),
    kind: text('kind').$type<PromotionKind>().notNull(),
    value: integer('value').notNull(),
    months: integer('months'),
    tiers: text('tiers')
      .array()
      .$type<readonly string[]>()
      .notNull()
      .default(sql`'{}'`),
    partners: text('partners')
      .array()
      .$type<readonly string[]>()
      .notNull()
      .default(sql`'{}'`),
    startsOn: plainDate('starts_on').notNull(),
    endsOn: plainDate('ends_on'),
    maxUses: integer('max_uses'),
    maxUsesPerPractice: integer('max_uses_per_practice').notNull().default(1),
    /** The number of redemptions across all practices, which a practice's own scope can't count. */
    uses: integer('uses').notNull().default(0),
  },
  () => [
    check('promotion_codes_value', sql`value > 0 and (kind <> 'percent' or value <= 100)`),
    check('promotion_codes_uses', sql`uses >= 0 and (max_uses is null or uses <= max_uses)`),
  ],
);

/** A practice's redemption of a code. */
export const promotionRedemptions = pgTable(
  'promotion_redemptions',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    code: text('code')
      .notNull()
      .references(() => promotionCodes.code),
    redeemedAt: instant('redeemed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] }), index('promotion_redemptions_code').on(table.companyId, table.code)],
);

/** The saved selection: one row for each client and tax that the practice pays for. */
export const selectedConnections = pgTable(
  'selected_connections',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    tax: text('tax').$type<Tax>().notNull(),
    /** Only linked connections are priced. Triggers keep this equal to `is_connection_linked`. */
    linked: boolean('linked').notNull(),
    selectedAt: instant('selected_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.tax] }),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/**
 * Changes in the number of linked connections in the selection, whose sum is priced. Triggers write them; saving a selection adds them up.
 */
export const connectionCountChanges = pgTable(
  'connection_count_changes',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    connections: integer('connections').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] })],
);
