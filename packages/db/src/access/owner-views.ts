/**
 * Every view, with the reason why a statement in one tenant's scope may read it. The reason is needed because a view runs as the owner of
 * its tables.
 */
export const OWNER_VIEWS: Readonly<Record<string, string>> = {
  all_tenants_accounts: 'Checks whether an operator’s own company has the same bank account (conflict-of-interest.ts).',
  all_tenants_advances:
    'Calculates total exposure and how long HMRC takes to repay, and finds declined and late refunds of an owner’s other companies and refunds sold from a VAT number’s other account (exposure.ts, repayment-days-queries.ts, declined-refunds.ts, unpaid-differences.ts, same-vat-number.ts).',
  all_tenants_client_people: 'Finds the tenant of a client user’s request, and the user’s other companies (own-client.ts, own-clients.ts).',
  all_tenants_company_people:
    'Finds other companies of those who work or worked for a company, with their unpaid differences, declined refunds and exposure (owners-companies.ts), and the names of a company’s people (conflict-of-interest.ts).',
  all_tenants_memberships: 'Lets the session check find the tenant, and finds an operator’s companies (conflict-of-interest.ts).',
  all_tenants_receipts: 'Calculates total exposure (exposure.ts).',
  all_tenants_shortfalls:
    'Finds unpaid differences and late refunds of an owner’s other companies, and calculates each operator’s workload (case-owners.ts).',
  client_traders:
    'Lets a client user continue a proposed refund in their own company, which is found by the client’s VAT number (start-proposal.ts).',
  proposed_advances: 'Shows the progress of a refund proposed by a practice, without amounts unless they are shared (find-proposal.ts).',
  searched_client_rows: 'Contains the tenant condition itself, because a search can’t use its index under a policy.',
};
