-- A refund that HMRC hasn't repaid as expected counts for the owner's other companies too.
CREATE OR REPLACE VIEW all_tenants_shortfalls AS
  SELECT company_id, id, owner_id, status, due_on, advance_id, cause, opened_at FROM shortfalls;
