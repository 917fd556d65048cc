/** Invitations to many clients in one run. See docs/decisions/0061-notifications.md. */
import type { InvitationRunState, InvitedStatus } from '@portal/domain/invitation-runs/invitation-run.ts';
import { sql } from '../sql.ts';
import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, instant } from './columns.ts';
import { companies, users } from './identity.ts';

/** The browser chooses the ID, so that a repeated start has no effect. */
export const invitationRuns = pgTable(
  'invitation_runs',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    state: text('state').$type<InvitationRunState>().notNull(),
    startedBy: uuid('started_by')
      .notNull()
      .references(() => users.id),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at'),
    total: integer('total').notNull(),
    /** Why the run isn't progressing, although no one has paused it. */
    waits: text('waits').$type<'daily_limit' | 'mail_server'>(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] }), index('invitation_runs_started').on(table.companyId, table.startedAt)],
);

/** One client in a run. The attempt is committed before the email is sent, and its outcome afterwards. */
export const invitationRunClients = pgTable(
  'invitation_run_clients',
  {
    companyId: companyId(),
    runId: uuid('run_id').notNull(),
    clientId: uuid('client_id').notNull(),
    position: integer('position').notNull(),
    email: text('email').notNull(),
    status: text('status').$type<InvitedStatus>().notNull(),
    /** The invitation that the attempt created. */
    invitationId: uuid('invitation_id'),
    attemptId: uuid('attempt_id'),
    endedAt: instant('ended_at'),
    /** Why the email failed, in the mail server's words, or why the client was skipped. */
    reason: text('reason'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.runId, table.clientId] }),
    index('invitation_run_clients_open')
      .on(table.companyId, table.runId, table.position)
      .where(sql`status in ('queued', 'sending')`),
    foreignKey({ columns: [table.companyId, table.runId], foreignColumns: [invitationRuns.companyId, invitationRuns.id] }).onDelete(
      'cascade',
    ),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);
