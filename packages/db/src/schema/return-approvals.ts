/**
 * Clients' approvals of VAT returns, and the messages between client and practice about each return. Keyed by the practice
 * (docs/decisions/0060).
 */
import type { ApprovalState } from '@portal/domain/vat-returns/return-approval.ts';
import { sql } from '../sql.ts';
import { boolean, foreignKey, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, instant, plainDate } from './columns.ts';
import { users } from './identity.ts';
import type { FiledBoxes } from './vat.ts';

/**
 * The figures that a practice sent to a client's users, and their response. A trigger prevents changes to the figures, and to a response
 * once given. `outside`: an admin's statement that the client approved the figures elsewhere, with `reason`.
 */
export const returnApprovals = pgTable(
  'return_approvals',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    clientId: uuid('client_id').notNull(),
    obligationId: uuid('obligation_id').notNull(),
    periodStart: plainDate('period_start').notNull(),
    periodEnd: plainDate('period_end').notNull(),
    dueOn: plainDate('due_on').notNull(),
    boxes: jsonb('boxes').$type<FiledBoxes>().notNull(),
    /** A hash of the period and the boxes (domain/vat-returns/return-approval.ts). */
    digest: text('digest').notNull(),
    isOutside: boolean('is_outside').notNull().default(false),
    /** The practice's message with the figures or, for an admin's statement, how the client approved them. */
    reason: text('reason').notNull().default(''),
    state: text('state').$type<ApprovalState>().notNull(),
    requestedBy: uuid('requested_by')
      .notNull()
      .references(() => users.id),
    requestedAt: instant('requested_at').notNull(),
    remindedAt: instant('reminded_at'),
    decidedBy: uuid('decided_by').references(() => users.id),
    decidedAt: instant('decided_at'),
    decidedIp: text('decided_ip'),
    decidedUserAgent: text('decided_user_agent'),
    /** The books whose figures were approved, with which later ones are compared (docs/decisions/0088). Null until approved. */
    fileId: uuid('file_id'),
    /** When the figures were replaced or withdrawn, or the approval became void because they changed. */
    endedAt: instant('ended_at'),
    /** When HMRC accepted the return filed under this approval. */
    filedAt: instant('filed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // Only one version of a return's figures can be awaiting the client's answer.
    uniqueIndex('return_approvals_live')
      .on(table.companyId, table.clientId, table.obligationId)
      .where(sql`ended_at is null`),
    index('return_approvals_state').on(table.companyId, table.state, table.filedAt),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/** Questions and answers about a return. Rows are never changed or deleted. */
export const returnMessages = pgTable(
  'return_messages',
  {
    companyId: companyId(),
    /** Chosen by the browser, so that a repeated request writes only one message. */
    id: uuid('id').notNull(),
    clientId: uuid('client_id').notNull(),
    obligationId: uuid('obligation_id').notNull(),
    isFromClient: boolean('is_from_client').notNull(),
    authorId: uuid('author_id')
      .notNull()
      .references(() => users.id),
    text: text('text').notNull(),
    writtenAt: instant('written_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('return_messages_return').on(table.companyId, table.clientId, table.obligationId, table.writtenAt),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);
