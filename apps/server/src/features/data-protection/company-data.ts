/**
 * What a company's or practice's download holds: every table with its rows, or the reason why not. A test requires an entry for each table
 * with a tenant's column.
 */

/** The title of each table, in the order of the download. */
export const COMPANY_DATA: Readonly<Record<string, string>> = {
  companies: 'The company',
  practices: 'The practice',
  memberships: 'People who work here (names and addresses are in “people”)',
  former_memberships: 'People who worked here',
  team_roles: 'Roles of your team',
  team_invitations: 'Invitations to your team of the last 90 days',
  vrn_claims: 'VAT numbers that only this company can use',
  company_agents: 'Accountants you set, with the text you agreed to',
  hmrc_connections: 'The connection to HMRC, without its keys',
  obligations: 'VAT periods at HMRC',
  hmrc_observations: 'Liabilities, payments and registration as HMRC gave them',
  hmrc_returns: 'VAT returns as HMRC holds them',
  found_returns: 'VAT returns filed with other software',
  filings: 'VAT returns filed here, with HMRC’s receipts',
  books_files: 'Books files',
  books_rows: 'Rows of books files',
  books_columns: 'What the columns of your books mean',
  period_figures: 'VAT boxes worked out from your books',
  return_adjustments: 'Adjustments of returns',
  return_corrections: 'Corrections of earlier returns',
  journal_accounts: 'Accounts for journals',
  bank_accounts: 'Your bank accounts',
  collection_accounts: 'The account in your name for HMRC’s repayments',
  advances: 'Offers and advances, with their agreements',
  advance_transitions: 'History of advances',
  payouts: 'Payments to you',
  payout_nettings: 'Amounts taken off payments',
  bank_credits: 'Payments received',
  credit_allocations: 'What payments were for',
  credit_returns: 'Payments sent back',
  mandates: 'Direct Debit mandates',
  direct_debits: 'Direct Debits',
  shortfalls: 'Late or reduced refunds',
  shortfall_events: 'History of late or reduced refunds',
  shortfall_instalments: 'Instalments',
  shortfall_letters: 'Letters about late or reduced refunds',
  shortfall_recoveries: 'What paid off differences',
  ledger_postings: 'Postings in our ledger about you',
  ledger_lines: 'Amounts of these postings',
  clients: 'Clients',
  client_contacts: 'Clients’ contacts',
  client_people: 'Clients’ people with access to the clients’ portal',
  client_invitations: 'Invitations to the clients’ portal of the last 90 days',
  client_members: 'Clients’ assigned colleagues',
  client_groups: 'Groups of clients',
  client_group_members: 'Which clients are in which group',
  assignment_rules: 'Rules that assign imported clients',
  client_notes: 'Notes on clients',
  client_authorisations: 'Clients’ authorisations at HMRC',
  client_book_balances: 'Balances in clients’ books',
  client_observations: 'Clients’ figures as HMRC and files gave them',
  tax_positions: 'Clients’ positions, by tax',
  due_items: 'What clients owe, and by when',
  position_changes: 'Changes of clients’ figures in the last 30 days',
  client_changes: 'Bulk changes of the last days',
  client_imports: 'Imports of clients',
  client_import_rows: 'Rows of imports of the last 30 days',
  tax_statements: 'Imports of tax statements',
  tax_statement_clients: 'Clients in statements of the last 30 days',
  tax_statement_rows: 'Rows of statements of the last 30 days',
  authorisation_runs: 'Bulk authorisation requests',
  authorisation_run_clients: 'Clients of these requests',
  sync_runs: 'Refreshes from HMRC',
  client_syncs: 'When each client was refreshed',
  saved_views: 'Saved views that you share',
  audit_entries: 'Who did what, except our own notes, requests and checks',
};

const DERIVED = 'Worked out from other tables of this download, and made again from them.';
const OURS = 'Our own work and decisions about money. Ask us, and a person will tell you what concerns you.';
const SECRET = 'Holds only secrets and what a sign-in in progress needs.';
const PERSONAL = 'Belongs to a person, and is in that person’s own download.';
const SCREENING = 'The law forbids us to say whether a report was made (Proceeds of Crime Act 2002, sections 21A and 333A).';
const ORIGINAL_FILE = 'A file that you uploaded. Its rows are in this download once it is applied.';

/** Tables that aren't in the download. */
export const NOT_IN_COMPANY_DATA: Readonly<Record<string, string>> = {
  advance_assignments: OURS,
  approval_requests: OURS,
  audit_heads: DERIVED,
  authorisation_states: SECRET,
  books_uploads: ORIGINAL_FILE,
  calendar_feeds: PERSONAL,
  client_import_files: ORIGINAL_FILE,
  client_rows: DERIVED,
  exposure_limits: OURS,
  idempotency_keys: 'Answers to requests, kept for 30 days so that repeating one has no effect. What was done is in the other tables.',
  payout_releases: OURS,
  practice_attention: DERIVED,
  practice_totals: DERIVED,
  reconciliation_notes: OURS,
  screenings: SCREENING,
  stale_totals: DERIVED,
  suspicions: SCREENING,
  unrecorded_payouts: OURS,
};

/** Columns that aren't in the download, by table, each with the reason. */
export const NOT_IN_COMPANY_COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  hmrc_connections: { access_token: SECRET, refresh_token: SECRET, refresh_holder_id: SECRET, refresh_lease_until: SECRET },
  team_invitations: { token_hash: SECRET },
  client_invitations: { token_hash: SECRET },
  filings: { fraud_headers: PERSONAL, instance_id: 'The name of our computer.' },
  advances: { accepted_ip: PERSONAL },
  authorisation_runs: { fraud_headers: PERSONAL },
  sync_runs: { fraud_headers: PERSONAL },
  client_imports: { fraud_headers: PERSONAL },
  client_syncs: { holder_id: 'The name of our computer.', lease_until: 'The name of our computer.' },
  shortfalls: { owner_id: OURS },
  audit_entries: { ip: PERSONAL, salt: SECRET },
};
