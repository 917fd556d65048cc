/**
 * The data we keep about people and companies, why and for how long. Each hour, the job `rows.purge` runs every `purge`; docs/retention.md
 * shows this table.
 */
import { accountCredits, waitingBooksGrants, knownDevices, webhookEvents } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { lt } from '@portal/db/sql.ts';
import { purgeIdempotencyKeys } from '../../http/idempotency.ts';
import { purgeLostRuns } from '../../jobs/lost-runs.ts';
import { purgePendingBooks } from '../books/books-uploads.ts';
import { purgeOldAttempts } from '../identity/limit-attempts.ts';
import { purgeMessages } from '../operator-messages/purge-messages.ts';
import { purgeEvidence } from '../screening/screening-jobs.ts';
import { deleteIdentityChecks, eraseClosedCompanies, eraseClosedPeople } from './erase-closed-accounts.ts';
import { PRACTICE_RETENTION } from './practice-retention.ts';
import { purgeSignIns } from './purge-sign-ins.ts';
import type { Retention } from './retention.ts';

const DAY_MS = 86_400_000;
/** TrueLayer and GoCardless repeat a webhook for days, not months. */
const WEBHOOK_RETENTION_DAYS = 90;
/** Six years, with their leap days. */
const ACCOUNT_CREDIT_RETENTION_DAYS = 6 * 365 + 2;
/** A browser that is used again later is reported as new. */
const DEVICE_RETENTION_DAYS = 730;

const CUSTOMER_RETENTION = 'As long as the company’s account is open, then six years';

export const RETENTION: readonly Retention[] = [
  {
    data: 'Sessions, emailed links, sign-ins in progress, codes, changes of an email address',
    tables: ['sessions', 'login_links', 'sign_in_states', 'mailbox_states', 'books_connection_states', 'challenges', 'email_changes'],
    reason: 'Signing in',
    kept: 'Until they expire: 10 minutes to 30 days',
    purge: purgeSignIns,
  },
  {
    data: 'Permission to read books, given during sign-up, until the company is added (sealed)',
    tables: ['waiting_books_grants'],
    reason: 'Signing up and connecting books in one step',
    kept: '24 hours',
    purge: async ({ database: { db }, clock }) => {
      await db.delete(waitingBooksGrants).where(lt(waitingBooksGrants.expiresAt, clock.now()));
    },
  },
  {
    data: 'Attempt counts, by email address, phone number, IP address and user',
    tables: ['attempts'],
    reason: 'Preventing password guessing and excessive requests',
    kept: '30 minutes; a day’s invitations for one day',
    purge: ({ database, wallClock }) => purgeOldAttempts(database.db, wallClock),
  },
  {
    data: 'Browsers that a user has used (hashes)',
    tables: ['known_devices'],
    reason: 'Alerting users to a sign-in from a new browser',
    kept: 'Two years',
    purge: async ({ database: { db }, clock }) => {
      await db.delete(knownDevices).where(lt(knownDevices.firstSeenAt, addMilliseconds(clock.now(), -DEVICE_RETENTION_DAYS * DAY_MS)));
    },
  },
  {
    data: 'Responses to requests that may be repeated',
    tables: ['idempotency_keys'],
    reason: 'Filing and paying at most once',
    kept: '30 days',
    purge: purgeIdempotencyKeys,
  },
  {
    data: 'IDs of webhooks already handled',
    tables: ['webhook_events'],
    reason: 'Handling each at most once',
    kept: '90 days',
    purge: async ({ database: { db }, clock }) => {
      await db.delete(webhookEvents).where(lt(webhookEvents.receivedAt, addMilliseconds(clock.now(), -WEBHOOK_RETENTION_DAYS * DAY_MS)));
    },
  },
  {
    data: 'Jobs whose process died',
    tables: ['lost_job_runs'],
    reason: 'Finding jobs that crash their process',
    kept: '30 days',
    purge: ({ database }) => purgeLostRuns(database.db),
  },
  {
    data: 'Background jobs, with emails waiting to be sent (sealed)',
    tables: [],
    reason: 'Work that outlives its request; finding out why it failed',
    kept: 'An hour after they end; failed ones for a year, or until an operator retries or discards them',
  },
  {
    data: 'Uploaded books awaiting column mapping',
    tables: ['books_uploads'],
    reason: 'Choosing columns later',
    kept: '30 days',
    purge: purgePendingBooks,
  },
  {
    data: 'Messages from the contact page, with replies',
    tables: ['contact_messages', 'contact_entries'],
    reason: 'Replying; for complaints also as evidence',
    kept: 'Two years, or until the sender’s account is closed if it has been answered; complaints six years',
    purge: purgeMessages,
  },
  {
    data: 'Screening of companies and their people, and screening matches',
    tables: ['screenings', 'suspicions'],
    reason: 'Money Laundering Regulations 2017, regulation 40',
    kept: 'Five years after the last advance',
    purge: purgeEvidence,
  },
  {
    data: 'Identity checks of owners',
    tables: ['identity_checks'],
    reason: 'Money Laundering Regulations 2017, regulation 40',
    kept: 'Five years after the person’s account, or the last company they worked for, was closed',
    purge: deleteIdentityChecks,
  },
  {
    data: 'Sign-in methods, companies, users’ own views and calendar links',
    tables: [
      'identities',
      'passkeys',
      'authenticators',
      'recovery_codes',
      'memberships',
      'calendar_feeds',
      'saved_views',
      'desk_views',
      'partner_contacts',
    ],
    reason: 'Their contract with us',
    kept: 'Until the account is closed; a shared view as long as the practice exists',
  },
  {
    data: 'People’s names and email addresses',
    tables: ['users', 'closed_accounts'],
    reason: 'Their contract with us; returns, agreements and payments name them (Limitation Act 1980, section 5)',
    kept: 'While the account is open, then six years if the person worked for a company; after that, a row without a name',
    purge: eraseClosedPeople,
  },
  {
    data: 'Operators and the personal bank accounts they declared',
    tables: ['operators', 'operator_bank_accounts'],
    reason: 'Who may act for us, and conflicts of interest',
    kept: 'As long as the audit log refers to them',
  },
  {
    data: 'Companies, their books, VAT returns and data from HMRC',
    tables: [
      'companies',
      'vrn_claims',
      'bank_accounts',
      'hmrc_connections',
      'hmrc_observations',
      'hmrc_returns',
      'obligations',
      'filings',
      'found_returns',
      'books_columns',
      'books_files',
      'books_rows',
      'books_drafts',
      'books_rate_answers',
      'books_connections',
      'books_reads',
      'books_objects',
      'books_vat_figures',
      'period_figures',
      'return_adjustments',
      'return_corrections',
      'journal_accounts',
      'former_memberships',
    ],
    reason: 'Value Added Tax Act 1994, schedule 11 paragraph 6: six years',
    kept: `${CUSTOMER_RETENTION}; access tokens, bookkeeping connections with the data copied from them, and unapplied uploads until the account is closed; bookkeeping data not used in a filed return until a newer copy replaces it; a \`companies\` row without its name is retained`,
    purge: eraseClosedCompanies,
  },
  {
    data: 'Advances, payouts, credits, Direct Debits, shortfalls',
    tables: [
      'advances',
      'advance_assignments',
      'advance_transitions',
      'approval_requests',
      'payouts',
      'unrecorded_payouts',
      'payout_nettings',
      'payout_releases',
      'bank_credits',
      'collection_accounts',
      'collection_payouts',
      'credit_allocations',
      'credit_returns',
      'reconciliation_notes',
      'mandates',
      'direct_debits',
      'direct_debit_payouts',
      'direct_debit_payout_items',
      'shortfalls',
      'shortfall_events',
      'shortfall_instalments',
      'shortfall_letters',
      'shortfall_recoveries',
      'exposure_limits',
    ],
    reason: 'The contract, and Companies Act 2006, sections 386 to 389',
    kept: `${CUSTOMER_RETENTION}; GoCardless’s payouts to us, which don’t identify anyone, permanently`,
  },
  {
    data: 'Money that reached the account we pay from, and its sender',
    tables: ['account_credits'],
    reason: 'Companies Act 2006, sections 386 to 389',
    kept: 'Six years after two people have recorded what it is',
    purge: async ({ database: { db }, clock }) => {
      const sixYearsAgo = addMilliseconds(clock.now(), -ACCOUNT_CREDIT_RETENTION_DAYS * DAY_MS);
      await db.delete(accountCredits).where(lt(accountCredits.resolvedAt, sixYearsAgo));
    },
  },
  {
    data: 'The ledger',
    tables: ['ledger_postings', 'ledger_lines'],
    reason: 'Companies Act 2006, sections 386 to 389',
    kept: 'Never deleted: append-only',
  },
  {
    data: 'VAT invoices to practices, their payments, refunds and bad debts',
    tables: ['vat_invoices', 'vat_invoice_lines', 'invoice_payments', 'invoice_refunds', 'invoice_write_offs', 'invoice_sequences'],
    reason: 'VAT Act 1994, schedule 11, paragraph 6, and gapless numbering',
    kept: 'Never deleted: append-only',
  },
  {
    data: 'The audit trail',
    tables: ['audit_entries', 'audit_heads'],
    reason: 'Evidence of who did what',
    kept: 'Entries are never deleted. Their values, which include names, are deleted with a company’s other data, or six years after a person closes their account',
  },
  {
    data: 'Consent to an agent',
    tables: ['company_agents'],
    reason: 'Proof of consent (UK GDPR, article 7(1))',
    kept: CUSTOMER_RETENTION,
  },
  ...PRACTICE_RETENTION,
  {
    data: 'The portal’s own state, with no personal data',
    tables: ['batch_header_confirmations', 'complete_reads', 'provider_health', 'provider_rate_limits'],
    reason: 'Running the portal',
    kept: 'Overwritten',
  },
  {
    data: 'Our prices and promotion codes, with no personal data',
    tables: ['price_list_drafts', 'price_lists', 'price_moves', 'price_tiers', 'promotion_codes'],
    reason: 'The basis for calculating invoices',
    kept: 'Permanently',
  },
];
