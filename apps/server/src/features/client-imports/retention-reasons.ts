/**
 * The reasons why undoing an import keeps a client that it created: someone has worked on it. Every table whose rows are deleted with a
 * client is listed here, either as a reason to keep the client or as one that is written without a user's action. A test compares both
 * lists with the database.
 */
import { sql, type SQL } from '@portal/db/sql.ts';

/** `when` restricts the rows that count; `t` is the table, `c` the client. */
type RetentionReason = { readonly sentence: string; readonly tables: readonly string[]; readonly when?: string };

/** The first reason that applies is shown. */
export const RETENTION_REASONS: readonly RetentionReason[] = [
  { sentence: 'Kept: people at this client have been invited.', tables: ['client_people', 'client_invitations', 'invitation_run_clients'] },
  { sentence: 'Kept: its books are connected.', tables: ['practice_organisations'] },
  { sentence: 'Kept: someone has written a note.', tables: ['client_notes'] },
  {
    sentence: 'Kept: someone has sent it a message.',
    tables: ['client_message_recipients', 'client_emails', 'rule_reminders', 'client_posts'],
  },
  // Assignments made by the practice's rules with the import have the time of the client's creation.
  { sentence: 'Kept: it’s assigned to a team member.', tables: ['client_members'], when: 't.assigned_at <> c.created_at' },
  {
    sentence: 'Kept: authorisation has been requested for it at HMRC.',
    tables: ['client_authorisations'],
    when: `t.status <> 'not_started'`,
  },
  { sentence: 'Kept: authorisation has been requested for it at HMRC.', tables: ['authorisation_run_clients', 'authorisation_emails'] },
  { sentence: 'Kept: its figures have been read.', tables: ['client_observations'], when: `t.source in ('hmrc', 'statement')` },
  { sentence: 'Kept: its VAT return is being prepared.', tables: ['return_approvals', 'return_messages'] },
  { sentence: 'Kept: an early refund has been proposed to it.', tables: ['advance_proposals'] },
  { sentence: 'Kept: files are stored for it.', tables: ['client_files'] },
  { sentence: 'Kept: someone has sent it a request.', tables: ['client_requests'] },
  { sentence: 'Kept: a letter of engagement has been sent to it.', tables: ['engagement_letters'] },
  { sentence: 'Kept: it has tasks.', tables: ['work_items'], when: 't.created_by is not null or t.updated_at <> t.created_at' },
  { sentence: 'Kept: someone has added a contact.', tables: ['client_contacts'] },
  { sentence: 'Kept: it is in a group.', tables: ['client_group_members'] },
  { sentence: 'Kept: someone has entered its balance in the books.', tables: ['client_book_balances'] },
  { sentence: 'Kept: its turnover is known.', tables: ['client_turnovers'], when: 't.import_id is distinct from c.import_id' },
  { sentence: 'Kept: it is selected for your subscription.', tables: ['selected_connections'] },
  { sentence: 'Kept: someone has decided on a proposal for it.', tables: ['agent_exclusions'] },
  { sentence: 'Kept: someone has decided on a proposal for it.', tables: ['agent_proposals'], when: 't.decided_by is not null' },
];

/** Tables that are derived from the import itself, or contain one user's view of the client. */
export const WRITTEN_BY_SYSTEM: readonly string[] = [
  'client_rows',
  'client_syncs',
  'due_items',
  'muted_clients',
  'position_changes',
  'staff_notifications',
  'tax_positions',
];

const toCondition = ({ tables, when }: RetentionReason, client: string): string =>
  tables
    .map(
      (table) =>
        `exists (select 1 from ${table} t where t.company_id = ${client}.company_id and t.client_id = ${client}.id${when ? ` and (${when.replaceAll(/\bc\./g, `${client}.`)})` : ''})`,
    )
    .join(' or ');

/** Returns the first reason that applies to keep the client with this alias, apart from its VAT group. */
const toOwnReason = (client: string): string => `case
  ${RETENTION_REASONS.map((reason) => `when ${toCondition(reason, client)} then '${reason.sentence}'`).join('\n  ')}
  when exists (select 1 from audit_entries e where e.company_id = ${client}.company_id and (e.after -> 'client_ids') @> to_jsonb(array[${client}.id])
    and e.action ~ '^(books|return)[.]') then 'Kept: its VAT return is being prepared.'
  when ${client}.updated_at <> ${client}.created_at then 'Kept: it has been changed since.'
end`;

/**
 * The condition that members of the VAT group that client `c` represents stay in it: those that the import neither created, or that are
 * kept themselves, nor is about to restore. Without the representative member, their VAT would count nowhere.
 */
export const hasStayingMembers = (importId: string): SQL => sql`exists (
  select from clients m where m.company_id = c.company_id and m.vat_group_vrn = c.vrn
    and (m.import_id is distinct from ${importId}::uuid or (${sql.raw(toOwnReason('m'))}) is not null)
    and not exists (select from client_import_rows r where r.company_id = m.company_id and r.import_id = ${importId}::uuid
      and r.client_id = m.id and r.undone is null and r.before #>> '{vatGroupRole,set}' = m.vat_group_role
      and r.before #>> '{vatGroupVrn,set}' = m.vat_group_vrn))`;

/**
 * Returns the first reason that applies to keep the client `c`, as a sentence, or null. A client's books belong to its own tenant, which
 * isn't visible in the practice's scope, but the practice's audit trail refers to them (docs/decisions/0060).
 */
export const getRetentionReason = (importId: string): SQL => sql`coalesce(${sql.raw(toOwnReason('c'))},
  case when ${hasStayingMembers(importId)} then 'Kept: other clients are members of the VAT group that it represents.' end)`;
