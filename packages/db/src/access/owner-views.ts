/** Every view, with the reason why a statement in one tenant's scope may read it: a view runs as the owner of its tables. */
export const OWNER_VIEWS: Readonly<Record<string, string>> = {
  all_tenants_accounts: 'Whether an operator’s own company has the same bank account (conflict-of-interest.ts).',
  all_tenants_advances: 'Our total exposure, and how long HMRC takes to repay (exposure.ts, repayment-days-queries.ts).',
  all_tenants_client_people:
    'A client’s call finds its tenant by it; which other companies the person has (own-client.ts, own-clients.ts).',
  all_tenants_memberships: 'The session check finds the tenant; whose other companies have unpaid differences (unpaid-differences.ts).',
  all_tenants_receipts: 'Our total exposure (exposure.ts).',
  all_tenants_shortfalls: 'Unpaid differences of an owner’s other companies, and how busy an operator is (case-owners.ts).',
  client_traders:
    'A client’s person continues a proposed refund in their own company, found by the client’s VAT number (start-proposal.ts).',
  proposed_advances: 'How far a refund has come that a practice proposed, without amounts unless they are shared (find-proposal.ts).',
  searched_client_rows: 'Has the tenant’s condition itself: under a policy a search can’t use its index.',
};
