/** Actions that need two operators: one makes the request, another approves it. */
import type { ApprovalDecision } from '@portal/domain/approvals/approval-decision.ts';
import { sql } from '../sql.ts';
import { index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant } from './columns.ts';

/** A request for an action on one subject. Its details never change, so the approver decides on exactly what was requested. */
export const approvalRequests = pgTable(
  'approval_requests',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    /** A key of the server's registry of actions, for example "credit.allocate". */
    action: text('action').notNull(),
    /** The ID of the entity that the action changes, for example a credit. */
    subject: text('subject').notNull(),
    details: jsonb('details').$type<unknown>().notNull(),
    reason: text('reason').notNull(),
    requestedBy: uuid('requested_by').notNull(),
    requestedAt: instant('requested_at').notNull(),
    decision: text('decision').$type<ApprovalDecision>(),
    decidedBy: uuid('decided_by'),
    decidedAt: instant('decided_at'),
    /** Why the request was rejected; null for any other decision. */
    decisionReason: text('decision_reason'),
    /** Proves that the portal wrote the request (features/approvals/request-seal.ts). Null once the request has been decided. */
    seal: text('seal'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('approval_requests_one_open')
      .on(table.companyId, table.action, table.subject)
      .where(sql`${table.decidedAt} is null`),
    // Operators read open requests across tenants.
    index('approval_requests_open')
      .on(table.requestedAt)
      .where(sql`${table.decidedAt} is null`),
  ],
);
