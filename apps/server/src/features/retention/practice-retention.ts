/** Practices' part of the retention table. */
import { purgeApiKeys } from '../api-keys/end-api-keys.ts';
import { purgeImportRows } from '../client-imports/purge-import-rows.ts';
import { purgeClientInvitations } from '../client-portal/purge-client-invitations.ts';
import { purgeClientChanges } from '../clients/undo-change.ts';
import { purgePositionChanges } from '../positions/record-position-changes.ts';
import { purgeNotifications } from '../staff-notifications/purge-notifications.ts';
import { purgeUnsubscribeLinks } from '../staff-notifications/unsubscribe.ts';
import { purgeStatementRows } from '../tax-statements/purge-statement-rows.ts';
import { purgeInvitations } from '../team/purge-invitations.ts';
import { deleteFormerClients } from './erase-closed-accounts.ts';
import type { Retention } from './retention.ts';

export const PRACTICE_RETENTION: readonly Retention[] = [
  {
    data: 'Rows of imported client files',
    tables: ['client_import_files', 'client_import_rows'],
    reason: 'Looking up and undoing an import',
    kept: '30 days after the import',
    purge: purgeImportRows,
  },
  {
    data: 'Rows of imported statements',
    tables: ['tax_statement_rows', 'tax_statement_clients'],
    reason: 'Looking up an import; the figures taken from it stay',
    kept: '30 days after the import',
    purge: purgeStatementRows,
  },
  {
    data: 'Bulk changes that can be undone',
    tables: ['client_changes'],
    reason: 'Undoing a change',
    kept: 'Two days',
    purge: purgeClientChanges,
  },
  {
    data: 'Changes of a client’s figures',
    tables: ['position_changes'],
    reason: 'Showing what has changed since the last visit',
    kept: '30 days',
    purge: purgePositionChanges,
  },
  {
    data: 'Invitations to a practice’s team',
    tables: ['team_invitations'],
    reason: 'Letting a practice invite colleagues, and showing who did',
    kept: '90 days after they were accepted, revoked or expired; the audit trail keeps who invited whom',
    purge: purgeInvitations,
  },
  {
    data: 'Invitations of clients to their portal',
    tables: ['client_invitations'],
    reason: 'Letting a practice invite its clients, and showing who did',
    kept: '90 days after they were accepted, revoked or expired; the audit trail keeps who invited whom',
    purge: purgeClientInvitations,
  },
  {
    data: 'API keys, without the keys themselves',
    tables: ['api_keys'],
    reason: 'Letting programs call the portal for a person, and showing which could',
    kept: '90 days after they expired or were revoked; the audit trail keeps who created and revoked them',
    purge: purgeApiKeys,
  },
  {
    data: 'Notifications of a practice’s people',
    tables: ['staff_notifications'],
    reason: 'Showing each person what happened',
    kept: '90 days',
    purge: purgeNotifications,
  },
  {
    data: 'Links that end emails of one kind (hashes)',
    tables: ['unsubscribe_links'],
    reason: 'Unsubscribing from an email without logging in',
    kept: '400 days',
    purge: purgeUnsubscribeLinks,
  },
  {
    data: 'Practices, their clients and their figures',
    tables: [
      'practices',
      'team_roles',
      'practice_attention',
      'practice_totals',
      'clients',
      'client_rows',
      'client_contacts',
      'client_people',
      'client_members',
      'client_groups',
      'client_group_members',
      'assignment_rules',
      'client_notes',
      'work_items',
      'work_item_comments',
      'work_templates',
      'staff_notification_choices',
      'muted_clients',
      'figure_event_marks',
      'client_messages',
      'client_message_recipients',
      'mailboxes',
      'client_observations',
      'client_syncs',
      'client_book_balances',
      'client_authorisations',
      'authorisation_runs',
      'authorisation_run_clients',
      'authorisation_states',
      'client_imports',
      'tax_statements',
      'sync_runs',
      'tax_positions',
      'due_items',
      'stale_totals',
      'selected_connections',
      'connection_count_changes',
      'promotion_redemptions',
      'billing_accounts',
      'subscriptions',
      'subscription_changes',
    ],
    reason: 'The practice’s contract; the practice is the controller of its clients’ data',
    kept: 'Until the practice closes its account, or six years after it marked the client as closed',
    purge: deleteFormerClients,
  },
];
