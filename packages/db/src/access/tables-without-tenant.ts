/**
 * The tables without a policy, each with its reason. Every other table has a tenant ID column and a policy on it; a new table without
 * either fails the migration and its test.
 */

const BELONGS_TO_USER = 'Belongs to a person, who may work for several tenants.';
const READ_BEFORE_SIGN_IN = 'Read before anyone is signed in.';
const NOT_TENANT_DATA = 'Our own data. Contains nothing about tenants.';

export const TABLES_WITHOUT_TENANT: Readonly<Record<string, string>> = {
  account_credits: 'Money that reached our own account, from anyone.',
  attempts: READ_BEFORE_SIGN_IN,
  authenticators: BELONGS_TO_USER,
  batch_header_confirmations: NOT_TENANT_DATA,
  waiting_books_grants: 'Belongs to a person who has no company yet.',
  challenges: READ_BEFORE_SIGN_IN,
  closed_accounts: BELONGS_TO_USER,
  complete_reads: NOT_TENANT_DATA,
  contact_entries: 'Anyone can send these messages; only operators read them.',
  contact_messages: 'Anyone can send these messages; only operators read them.',
  desk_views: NOT_TENANT_DATA,
  direct_debit_payout_items: 'One payout to our bank contains Direct Debits from several tenants.',
  direct_debit_payouts: 'One payout to our bank contains Direct Debits from several tenants.',
  email_changes: BELONGS_TO_USER,
  exposure_limits: 'Our own limits, one of which covers all tenants.',
  identities: READ_BEFORE_SIGN_IN,
  invoice_sequences: 'The last number of each seller’s invoices, across all tenants.',
  identity_checks: BELONGS_TO_USER,
  known_devices: BELONGS_TO_USER,
  login_links: READ_BEFORE_SIGN_IN,
  lost_job_runs: NOT_TENANT_DATA,
  operator_bank_accounts: NOT_TENANT_DATA,
  operators: NOT_TENANT_DATA,
  partner_contacts: 'Belongs to a partner, not a tenant.',
  passkeys: BELONGS_TO_USER,
  price_list_drafts: NOT_TENANT_DATA,
  price_lists: NOT_TENANT_DATA,
  price_moves: NOT_TENANT_DATA,
  price_tiers: NOT_TENANT_DATA,
  promotion_codes: NOT_TENANT_DATA,
  programs: 'An app registers itself before any user has authorised it.',
  provider_health: NOT_TENANT_DATA,
  provider_rate_limits: NOT_TENANT_DATA,
  recovery_codes: BELONGS_TO_USER,
  sessions: READ_BEFORE_SIGN_IN,
  sign_in_states: READ_BEFORE_SIGN_IN,
  users: BELONGS_TO_USER,
  vrn_claims: 'Deliberately global: a VAT number belongs to one tenant (decision 3).',
  webhook_events: 'IDs of providers’ webhooks, which don’t name a tenant.',
};

/** Returns the name of the column with the tenant's ID. */
export function getTenantColumn(table: string): string {
  return table === 'companies' ? 'id' : 'company_id';
}

/** The books and VAT returns, whose tenant is a trader's company or a client of a practice (docs/decisions/0060). */
export const CLIENT_TABLES: ReadonlySet<string> = new Set([
  'books_columns',
  'books_connections',
  'books_drafts',
  'books_files',
  'books_objects',
  'books_rate_answers',
  'books_reads',
  'books_rows',
  'books_uploads',
  'books_vat_figures',
  'filings',
  'hmrc_returns',
  'obligations',
  'period_figures',
  'return_adjustments',
  'return_corrections',
]);
