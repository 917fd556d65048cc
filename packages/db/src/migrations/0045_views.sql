-- Views of the tables' owner, whose statements no policy narrows (docs/decisions/0044).
CREATE VIEW searched_client_rows AS SELECT * FROM client_rows;
--> statement-breakpoint
CREATE VIEW all_tenants_memberships AS SELECT company_id, user_id, role FROM memberships;
--> statement-breakpoint
CREATE VIEW all_tenants_accounts AS SELECT company_id, id, sort_code, account_number FROM bank_accounts;
--> statement-breakpoint
CREATE VIEW all_tenants_advances AS
  SELECT a.company_id, a.id, a.obligation_id, a.state, a.refund_pence, a.quoted_at, a.found_on, f.sent_at AS filed_at, a.repaid_at, a.updated_at
  FROM advances a LEFT JOIN filings f ON f.company_id = a.company_id AND f.id = a.filing_id;
--> statement-breakpoint
CREATE VIEW all_tenants_receipts AS
  SELECT company_id, advance_id, amount_pence FROM credit_allocations WHERE advance_id IS NOT NULL AND reversed_at IS NULL
  UNION ALL SELECT company_id, advance_id, amount_pence FROM shortfall_recoveries;
--> statement-breakpoint
CREATE VIEW all_tenants_shortfalls AS SELECT company_id, id, owner_id, status, due_on FROM shortfalls;
