-- The ledger and the audit trail only grow, and a posting that does not sum to zero cannot be committed:
-- the database refuses it, whatever code is above it.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'integrity_constraint_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_postings_append_only BEFORE UPDATE OR DELETE ON ledger_postings FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_lines_append_only BEFORE UPDATE OR DELETE ON ledger_lines FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE FUNCTION require_balanced_posting() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  difference bigint;
  lines integer;
BEGIN
  SELECT coalesce(sum(amount_pence), 0), count(*) INTO difference, lines
    FROM ledger_lines WHERE company_id = NEW.company_id AND posting_id = NEW.posting_id;
  IF difference <> 0 OR lines < 2 THEN
    RAISE EXCEPTION 'posting % does not balance: % pence over % lines', NEW.posting_id, difference, lines
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Deferred to the commit, so that the lines of one posting may be written one by one.
CREATE CONSTRAINT TRIGGER ledger_lines_balanced AFTER INSERT ON ledger_lines
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_balanced_posting();
