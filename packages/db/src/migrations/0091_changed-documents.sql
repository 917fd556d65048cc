ALTER TABLE "books_rate_answers" ADD COLUMN "is_zero_rated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "return_approvals" ADD COLUMN "file_id" uuid;--> statement-breakpoint
ALTER TABLE "books_rows" ADD COLUMN "document_id" text;--> statement-breakpoint
-- As before, and the books that were approved never change either.
CREATE OR REPLACE FUNCTION refuse_changed_return_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.ended_at IS NOT NULL AND (to_jsonb(NEW) - 'filed_at') IS DISTINCT FROM (to_jsonb(OLD) - 'filed_at'))
    OR (OLD.company_id, OLD.id, OLD.client_id, OLD.obligation_id, OLD.period_start, OLD.period_end, OLD.boxes, OLD.digest, OLD.is_outside,
        OLD.reason, OLD.requested_by, OLD.requested_at)
      IS DISTINCT FROM (NEW.company_id, NEW.id, NEW.client_id, NEW.obligation_id, NEW.period_start, NEW.period_end, NEW.boxes, NEW.digest,
        NEW.is_outside, NEW.reason, NEW.requested_by, NEW.requested_at)
    OR (OLD.decided_at IS NOT NULL AND (OLD.decided_by, OLD.decided_at, OLD.decided_ip, OLD.decided_user_agent, OLD.file_id)
      IS DISTINCT FROM (NEW.decided_by, NEW.decided_at, NEW.decided_ip, NEW.decided_user_agent, NEW.file_id))
    OR (OLD.filed_at IS NOT NULL AND (NEW.filed_at, NEW.state, NEW.ended_at) IS DISTINCT FROM (OLD.filed_at, OLD.state, OLD.ended_at)) THEN
    RAISE EXCEPTION 'return_approvals: % refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
