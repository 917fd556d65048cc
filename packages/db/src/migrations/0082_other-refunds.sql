ALTER TABLE "invoice_refunds" ADD COLUMN "transferred_on" date;--> statement-breakpoint
ALTER TABLE "invoice_refunds" ADD COLUMN "transfer_reference" text;--> statement-breakpoint
-- A refund that was paid from our bank account is paid for good, so nothing sends it again. Only one that came back can be paid so.
CREATE FUNCTION keep_transferred() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status = 'transferred' OR NEW.transferred_on IS NOT NULL THEN
      RAISE EXCEPTION 'refund % is new, so it was not transferred', NEW.id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD.status = 'transferred' AND (NEW.status, NEW.total_pence, NEW.transferred_on, NEW.transfer_reference, NEW.attempt)
    IS DISTINCT FROM (OLD.status, OLD.total_pence, OLD.transferred_on, OLD.transfer_reference, OLD.attempt) THEN
    RAISE EXCEPTION 'refund % was transferred: change refused', NEW.id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NEW.status = 'transferred' AND OLD.status <> 'transferred'
    AND (OLD.status <> 'failed' OR NEW.transferred_on IS NULL OR NEW.transfer_reference IS NULL) THEN
    RAISE EXCEPTION 'refund % can not be transferred from %', NEW.id, OLD.status USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER invoice_refunds_transferred BEFORE INSERT OR UPDATE ON invoice_refunds FOR EACH ROW EXECUTE FUNCTION keep_transferred();
--> statement-breakpoint
-- As in migration 0071, but what a person made at the provider beyond the invoice (excess) has no credit note.
CREATE OR REPLACE FUNCTION require_refundable() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  invoiced bigint;
  refunded bigint;
BEGIN
  PERFORM FROM companies WHERE id = NEW.company_id FOR NO KEY UPDATE;
  SELECT total_pence INTO invoiced FROM vat_invoices WHERE company_id = NEW.company_id AND id = NEW.invoice_id AND kind = 'invoice';
  SELECT coalesce(sum(total_pence), 0) INTO refunded FROM invoice_refunds
    WHERE company_id = NEW.company_id AND invoice_id = NEW.invoice_id AND status NOT IN ('refused', 'excess');
  IF invoiced IS NULL OR refunded > invoiced THEN
    RAISE EXCEPTION 'refunds of % pence exceed invoice %', refunded, NEW.invoice_id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
