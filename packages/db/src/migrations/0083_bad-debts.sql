CREATE TABLE "invoice_write_offs" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"invoice_id" uuid NOT NULL,
	"status" text NOT NULL,
	"amount_pence" bigint NOT NULL,
	"vat_pence" bigint NOT NULL,
	"relief_from" date NOT NULL,
	"relief_until" date NOT NULL,
	"reason" text NOT NULL,
	"failure" text,
	"written_off_on" date,
	"reversed_on" date,
	"read_at" timestamp (3) with time zone,
	"ordered_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invoice_write_offs_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "invoice_write_offs_amount" CHECK (amount_pence > 0 and vat_pence >= 0 and vat_pence <= amount_pence)
);
--> statement-breakpoint
ALTER TABLE "invoice_write_offs" ADD CONSTRAINT "invoice_write_offs_company_id_invoice_id_vat_invoices_company_id_id_fk" FOREIGN KEY ("company_id","invoice_id") REFERENCES "public"."vat_invoices"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "invoice_write_offs_once" ON "invoice_write_offs" USING btree ("company_id","invoice_id") WHERE status <> 'refused';--> statement-breakpoint
CREATE INDEX "invoice_write_offs_status" ON "invoice_write_offs" USING btree ("status");--> statement-breakpoint
-- What was written off stays as it was decided. It is refused or written off once, and then at most reversed, because it was paid.
CREATE FUNCTION keep_write_off() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status <> 'sending' OR NEW.written_off_on IS NOT NULL OR NEW.reversed_on IS NOT NULL THEN
      RAISE EXCEPTION 'write-off % is new, so it was not done', NEW.id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.company_id, NEW.id, NEW.invoice_id, NEW.amount_pence, NEW.vat_pence, NEW.relief_from, NEW.relief_until, NEW.reason, NEW.ordered_at)
    IS DISTINCT FROM (OLD.company_id, OLD.id, OLD.invoice_id, OLD.amount_pence, OLD.vat_pence, OLD.relief_from, OLD.relief_until, OLD.reason, OLD.ordered_at)
    OR (OLD.written_off_on IS NOT NULL AND NEW.written_off_on IS DISTINCT FROM OLD.written_off_on)
    OR (OLD.reversed_on IS NOT NULL AND NEW.reversed_on IS DISTINCT FROM OLD.reversed_on) THEN
    RAISE EXCEPTION 'write-off % was decided: change refused', NEW.id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NEW.status <> OLD.status AND NOT (
    (OLD.status = 'sending' AND NEW.status = 'refused')
    OR (OLD.status = 'sending' AND NEW.status = 'written_off' AND NEW.written_off_on IS NOT NULL)
    OR (OLD.status = 'written_off' AND NEW.status = 'reversed' AND NEW.reversed_on IS NOT NULL)) THEN
    RAISE EXCEPTION 'write-off % can not become % from %', NEW.id, NEW.status, OLD.status USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER invoice_write_offs_kept BEFORE INSERT OR UPDATE ON invoice_write_offs FOR EACH ROW EXECUTE FUNCTION keep_write_off();
--> statement-breakpoint
-- As in migration 0071, and bad debts stay with their invoices.
CREATE OR REPLACE FUNCTION erase_company(company uuid, at timestamptz) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
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
      AND c.relname NOT IN ('ledger_postings', 'ledger_lines', 'audit_entries', 'audit_heads', 'vat_invoices', 'vat_invoice_lines', 'invoice_payments', 'invoice_refunds', 'invoice_write_offs')
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
