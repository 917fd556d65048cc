ALTER TABLE "advances" ADD COLUMN "terms_seal" text;--> statement-breakpoint
ALTER TABLE "advances" ADD COLUMN "sealed_approvals" text;--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "seal" text;--> statement-breakpoint
ALTER TABLE "payout_releases" ADD COLUMN "seal" text;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "authorised_by" text;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "refused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "approval_requests" ADD COLUMN "seal" text;--> statement-breakpoint
-- The seal of an open request is written again when a key is replaced. Nothing else of it changes.
CREATE OR REPLACE FUNCTION refuse_changed_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND is_erased_by_owner(TG_RELID, OLD.company_id) THEN RETURN OLD; END IF;
  IF TG_OP = 'UPDATE' AND OLD.decided_at IS NULL AND to_jsonb(OLD) - 'seal' = to_jsonb(NEW) - 'seal' THEN RETURN NEW; END IF;
  IF TG_OP = 'DELETE' OR OLD.decided_at IS NOT NULL OR NEW.decided_by IS NULL
    OR (OLD.company_id, OLD.id, OLD.action, OLD.subject, OLD.details, OLD.reason, OLD.requested_by, OLD.requested_at)
      IS DISTINCT FROM (NEW.company_id, NEW.id, NEW.action, NEW.subject, NEW.details, NEW.reason, NEW.requested_by, NEW.requested_at)
    OR (NEW.decision <> 'withdrawn' AND NEW.decided_by = OLD.requested_by) THEN
    RAISE EXCEPTION 'approval_requests: % refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
