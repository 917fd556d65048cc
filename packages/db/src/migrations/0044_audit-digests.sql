ALTER TABLE "audit_entries" ADD COLUMN "salt" text;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "values_digest" text;--> statement-breakpoint
ALTER TABLE "audit_heads" ADD COLUMN "changed_at" timestamp (3) with time zone;--> statement-breakpoint
-- An entry never changes, but its values may be erased once no law demands them: all of them, with their salt. The digest stays.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.values_digest IS NOT NULL
    AND NEW.before IS NULL AND NEW.after IS NULL AND NEW.ip = '' AND NEW.salt IS NULL
    AND (NEW.company_id, NEW.sequence, NEW.at, NEW.actor, NEW.action, NEW.subject, NEW.values_digest, NEW.previous_hash, NEW.hash)
      IS NOT DISTINCT FROM (OLD.company_id, OLD.sequence, OLD.at, OLD.actor, OLD.action, OLD.subject, OLD.values_digest, OLD.previous_hash, OLD.hash)
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'integrity_constraint_violation';
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
