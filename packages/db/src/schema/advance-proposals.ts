/** Early refunds that a practice has proposed to a client. Keyed by the practice (docs/decisions/0073-proposing-an-early-refund.md). */
import type { ProposalEnd, ProposalStage } from '@portal/domain/advance-proposals/proposal-stage.ts';
import type { TraderRole } from '@portal/domain/identity/roles.ts';
import type { Pence } from '@portal/domain/money.ts';
import { sql } from '../sql.ts';
import { foreignKey, index, pgTable, pgView, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, instant, pence, plainDate } from './columns.ts';
import { users } from './identity.ts';

/** The proposal, and the decisions on it. The progress of the client's advance is in the view `proposed_advances`. */
export const advanceProposals = pgTable(
  'advance_proposals',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    clientId: uuid('client_id').notNull(),
    obligationId: uuid('obligation_id').notNull(),
    periodStart: plainDate('period_start').notNull(),
    periodEnd: plainDate('period_end').notNull(),
    /** The client's VAT number when the refund was proposed. An advance for another number is never shown. */
    vrn: text('vrn').notNull(),
    /** The return's refund when it was proposed. */
    refundPence: pence('refund_pence').notNull(),
    note: text('note').notNull().default(''),
    proposedBy: uuid('proposed_by')
      .notNull()
      .references(() => users.id),
    proposedAt: instant('proposed_at').notNull(),
    seenAt: instant('seen_at'),
    /** The client's user who continued in InstantVAT. Only the refund of a company that this user owns counts. */
    startedBy: uuid('started_by').references(() => users.id),
    startedAt: instant('started_at'),
    /** When that user started sharing the amount and fee with the practice; null if they don't share them. */
    figuresSharedAt: instant('figures_shared_at'),
    endedAt: instant('ended_at'),
    endedAs: text('ended_as').$type<ProposalEnd>(),
    endedBy: uuid('ended_by').references(() => users.id),
    /** Why the client declined. */
    endedReason: text('ended_reason').notNull().default(''),
    /** The last stage that the practice was notified about, so that each stage is notified only once. */
    notifiedStage: text('notified_stage').$type<ProposalStage>(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // One proposal per period. After the client declines, the practice doesn't propose it again.
    uniqueIndex('advance_proposals_open')
      .on(table.companyId, table.clientId, table.periodStart, table.periodEnd)
      .where(sql`ended_as is null or ended_as = 'declined'`),
    index('advance_proposals_client').on(table.companyId, table.clientId, table.proposedAt),
    // Proposals whose advance may still reach a stage that the practice must be notified about. Across all practices, for a periodic job.
    index('advance_proposals_followed')
      .on(table.startedAt)
      .where(sql`ended_as is null and notified_stage is distinct from 'settled'`),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/** The traders' companies that belong to a client's users and have the client's VAT number (migrations/0077_advance-proposals.sql). */
export const clientTraders = pgView('client_traders', {
  /** The practice's ID. */
  companyId: companyId(),
  clientId: uuid('client_id').notNull(),
  userId: uuid('user_id').notNull(),
  vrn: text('vrn').notNull(),
  traderId: uuid('trader_id').notNull(),
  traderName: text('trader_name').notNull(),
  role: text('role').$type<TraderRole>().notNull(),
}).existing();

/**
 * For each started proposal, the company in which its user continued and that company's advance for the same period. The view omits the
 * figures unless the user shares them, so that the practice's statements can't read them.
 */
export const proposedAdvances = pgView('proposed_advances', {
  /** The practice's ID. */
  companyId: companyId(),
  proposalId: uuid('proposal_id').notNull(),
  traderId: uuid('trader_id').notNull(),
  traderName: text('trader_name').notNull(),
  /** The return for the period in that company. Null until it has been read from HMRC. */
  traderObligationId: uuid('trader_obligation_id').$type<string | null>(),
  /** Null until an offer has been made. */
  state: text('state').$type<string | null>(),
  acceptedAt: instant('accepted_at'),
  paidAt: instant('paid_at'),
  repaidAt: instant('repaid_at'),
  netPence: pence('net_pence').$type<Pence | null>(),
  feePence: pence('fee_pence').$type<Pence | null>(),
}).existing();
