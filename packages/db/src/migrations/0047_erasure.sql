-- What no one may change or delete is deleted by the tables' owner alone, in erase_company, once a company's time is over. Never the ledger.
CREATE FUNCTION is_erased_by_owner(erased_table oid, company uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT current_setting('app.erased_company', true) = company::text
    AND current_user = (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = erased_table)
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME NOT IN ('ledger_postings', 'ledger_lines') THEN
    IF is_erased_by_owner(TG_RELID, OLD.company_id) THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'integrity_constraint_violation';
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION refuse_second_reversal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND is_erased_by_owner(TG_RELID, OLD.company_id) THEN RETURN OLD; END IF;
  IF TG_OP = 'DELETE' OR OLD.reversed_at IS NOT NULL OR NEW.reversed_at IS NULL
    OR (OLD.company_id, OLD.id, OLD.credit_id, OLD.amount_pence, OLD.at, OLD."by") IS DISTINCT FROM (NEW.company_id, NEW.id, NEW.credit_id, NEW.amount_pence, NEW.at, NEW."by")
    OR OLD.advance_id IS DISTINCT FROM NEW.advance_id THEN
    RAISE EXCEPTION 'credit_allocations: % refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION refuse_changed_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND is_erased_by_owner(TG_RELID, OLD.company_id) THEN RETURN OLD; END IF;
  IF TG_OP = 'DELETE' OR OLD.decided_at IS NOT NULL OR NEW.decided_by IS NULL
    OR (OLD.company_id, OLD.id, OLD.action, OLD.subject, OLD.details, OLD.reason, OLD.requested_by, OLD.requested_at)
      IS DISTINCT FROM (NEW.company_id, NEW.id, NEW.action, NEW.subject, NEW.details, NEW.reason, NEW.requested_by, NEW.requested_at)
    OR (NEW.decision <> 'withdrawn' AND NEW.decided_by = OLD.requested_by) THEN
    RAISE EXCEPTION 'approval_requests: % refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
-- Deletes every row of a closed company: a practice's at once, a trader's after six years by this server's own clock. The ledger and the
-- audit trail stay; the trail's values go, which name people. The catalogs give the tables, so that a new one isn't forgotten.
CREATE FUNCTION erase_company(company uuid, at timestamptz) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  item record;
BEGIN
  PERFORM FROM companies WHERE id = company AND (closed_at <= now() - interval '6 years' OR (kind = 'practice' AND closed_at IS NOT NULL)) FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'company % may not be erased yet', company USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  PERFORM set_config('app.erased_company', company::text, true);
  FOR item IN
    SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'company_id' AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      AND c.relname NOT IN ('ledger_postings', 'ledger_lines', 'audit_entries', 'audit_heads')
    ORDER BY c.relname
  LOOP
    EXECUTE format('DELETE FROM %I WHERE company_id = $1', item.name) USING company;
  END LOOP;
  UPDATE audit_entries SET before = NULL, after = NULL, ip = '', salt = NULL
    WHERE company_id = company AND salt IS NOT NULL AND values_digest IS NOT NULL;
  UPDATE companies SET name = 'Closed company', company_number = NULL, vrn = NULL, vrn_registered_name = NULL, register = NULL,
    first_partner = NULL, first_partner_at = NULL, last_partner = NULL, last_partner_at = NULL, closed_by = NULL, erased_at = at
    WHERE id = company;
  PERFORM set_config('app.erased_company', '', true);
END $$;
--> statement-breakpoint
-- Erases the values of what a person did and of what concerns their account, six years after they closed it.
CREATE FUNCTION erase_person_audit(person uuid) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  erased integer;
BEGIN
  PERFORM FROM closed_accounts WHERE user_id = person AND closed_at <= now() - interval '6 years';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the trail of person % may not be erased yet', person USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  UPDATE audit_entries SET before = NULL, after = NULL, ip = '', salt = NULL
    WHERE salt IS NOT NULL AND values_digest IS NOT NULL
      AND (actor = person::text OR (company_id = '00000000-0000-0000-0000-000000000000' AND subject = person::text));
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END $$;
