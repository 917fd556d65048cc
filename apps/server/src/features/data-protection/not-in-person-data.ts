/** The columns that name a person and aren't in a person's download, each with the reason. */

const COMPANYS = 'A record of the company or practice, in whose download it is. “What you did” lists it with the time.';
const OURS = 'A decision of our staff. “What you did” lists it with the time.';
const SECRET = 'Holds only what a sign-in or a confirmation in progress needs, for minutes.';
const ABOUT_OTHERS = 'Written about a practice’s client, whose data is the practice’s.';
const DERIVED = 'Worked out from assignments, which are in the download.';
const CLOSED = 'Exists only after the account was closed.';
const VIEWED = 'An operator of ours looked at the portal as you see it. That the audit trail holds; ask us.';

export const NOT_IN_PERSON_DATA: Readonly<Record<string, string>> = {
  'advance_assignments.assigned_by': OURS,
  'advance_assignments.operator_id': OURS,
  'advance_transitions.actor': COMPANYS,
  'approval_requests.decided_by': OURS,
  'approval_requests.requested_by': OURS,
  'authorisation_runs.started_by': COMPANYS,
  'authorisation_states.user_id': SECRET,
  'batch_header_confirmations.recorded_by': OURS,
  'books_files.uploaded_by': COMPANYS,
  'books_uploads.uploaded_by': COMPANYS,
  'challenges.user_id': SECRET,
  'client_book_balances.entered_by': COMPANYS,
  'client_changes.made_by': COMPANYS,
  'client_changes.undone_by': COMPANYS,
  'client_imports.started_by': COMPANYS,
  'client_invitations.accepted_by': COMPANYS,
  'client_invitations.invited_by': COMPANYS,
  'client_notes.author_id': ABOUT_OTHERS,
  'closed_accounts.user_id': CLOSED,
  'companies.closed_by': CLOSED,
  'company_agents.ended_by': COMPANYS,
  'company_agents.set_by': COMPANYS,
  'contact_entries.by': OURS,
  'contact_messages.assigned_to': OURS,
  'credit_allocations.by': OURS,
  'credit_allocations.reversed_by': OURS,
  'direct_debit_payouts.checked_by': OURS,
  'former_memberships.deactivated_by': COMPANYS,
  'exposure_limits.decided_by': OURS,
  'exposure_limits.requested_by': OURS,
  'idempotency_keys.user_id': COMPANYS,
  'identity_checks.verified_by': OURS,
  'mandates.requested_by': COMPANYS,
  'operators.invited_by': OURS,
  'partner_contacts.added_by': OURS,
  'payout_releases.operator_id': OURS,
  'practice_totals.viewer_id': DERIVED,
  'practices.owner_id': COMPANYS,
  'reconciliation_notes.by': OURS,
  'return_adjustments.made_by': COMPANYS,
  'return_adjustments.removed_by': COMPANYS,
  'return_corrections.decided_by': COMPANYS,
  'return_corrections.undone_by': COMPANYS,
  'sessions.view_as': VIEWED,
  'shortfall_events.actor': COMPANYS,
  'shortfalls.owner_id': OURS,
  'sign_in_states.link_to': SECRET,
  'suspicions.decided_by': OURS,
  'sync_runs.started_by': COMPANYS,
  'tax_statements.imported_by': COMPANYS,
  'team_invitations.accepted_by': COMPANYS,
  'team_invitations.invited_by': COMPANYS,
};
