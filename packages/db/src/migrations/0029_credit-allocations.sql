CREATE TABLE "credit_allocations" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"credit_id" uuid NOT NULL,
	"advance_id" uuid,
	"amount_pence" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"by" text NOT NULL,
	"request_id" uuid,
	"reversed_at" timestamp (3) with time zone,
	"reversed_by" text,
	"reversed_request_id" uuid,
	CONSTRAINT "credit_allocations_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "credit_allocations_positive" CHECK ("credit_allocations"."amount_pence" > 0)
);
--> statement-breakpoint
ALTER TABLE "payouts" ALTER COLUMN "advance_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "bank_credits" ADD COLUMN "currency" text DEFAULT 'GBP' NOT NULL;--> statement-breakpoint
CREATE INDEX "credit_allocations_credit" ON "credit_allocations" USING btree ("company_id","credit_id");--> statement-breakpoint
CREATE INDEX "credit_allocations_advance" ON "credit_allocations" USING btree ("company_id","advance_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_one_open_surplus" ON "payouts" USING btree ("company_id") WHERE "payouts"."advance_id" is null and "payouts"."status" in ('created', 'submitted');--> statement-breakpoint
CREATE INDEX "ledger_lines_account" ON "ledger_lines" USING btree ("account","company_id","amount_pence");--> statement-breakpoint
-- What each credit repays so far, oldest first: at most the refund. The rest belongs to the trader.
INSERT INTO credit_allocations (company_id, id, credit_id, advance_id, amount_pence, at, "by")
SELECT company_id, gen_random_uuid(), credit_id, target, amount, received_at, 'bank'
FROM (
  SELECT c.company_id, c.id AS credit_id, c.advance_id, c.received_at, c.amount_pence,
    greatest(0, least(a.refund_pence, sum(c.amount_pence) OVER w) - least(a.refund_pence, sum(c.amount_pence) OVER w - c.amount_pence)) AS applied
  FROM bank_credits c
  JOIN advances a ON a.company_id = c.company_id AND a.id = c.advance_id
  WINDOW w AS (PARTITION BY c.company_id, c.advance_id ORDER BY c.received_at, c.id)
) matched
CROSS JOIN LATERAL (VALUES (matched.advance_id, matched.applied), (NULL::uuid, matched.amount_pence - matched.applied)) AS part (target, amount)
WHERE amount > 0;
--> statement-breakpoint
ALTER TABLE "bank_credits" DROP COLUMN "advance_id";
--> statement-breakpoint
-- An allocation changes only once, when it is reversed; a request only when it is decided. Neither is ever deleted.
CREATE FUNCTION refuse_second_reversal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.reversed_at IS NOT NULL OR NEW.reversed_at IS NULL
    OR (OLD.company_id, OLD.id, OLD.credit_id, OLD.amount_pence, OLD.at, OLD."by") IS DISTINCT FROM (NEW.company_id, NEW.id, NEW.credit_id, NEW.amount_pence, NEW.at, NEW."by")
    OR OLD.advance_id IS DISTINCT FROM NEW.advance_id THEN
    RAISE EXCEPTION 'credit_allocations: % refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER credit_allocations_reversed_once BEFORE UPDATE OR DELETE ON credit_allocations FOR EACH ROW EXECUTE FUNCTION refuse_second_reversal();
--> statement-breakpoint
CREATE FUNCTION refuse_changed_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.decided_at IS NOT NULL OR NEW.decided_by IS NULL
    OR (OLD.company_id, OLD.id, OLD.action, OLD.subject, OLD.details, OLD.reason, OLD.requested_by, OLD.requested_at)
      IS DISTINCT FROM (NEW.company_id, NEW.id, NEW.action, NEW.subject, NEW.details, NEW.reason, NEW.requested_by, NEW.requested_at)
    OR (NEW.decision <> 'withdrawn' AND NEW.decided_by = OLD.requested_by) THEN
    RAISE EXCEPTION 'approval_requests: % refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER approval_requests_decided_once BEFORE UPDATE OR DELETE ON approval_requests FOR EACH ROW EXECUTE FUNCTION refuse_changed_request();
