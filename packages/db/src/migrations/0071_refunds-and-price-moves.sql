CREATE TABLE "price_moves" (
	"id" uuid PRIMARY KEY NOT NULL,
	"to_version" integer NOT NULL,
	"decided_at" timestamp (3) with time zone NOT NULL,
	"noticed_at" timestamp (3) with time zone,
	"stopped_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "invoice_refunds" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"invoice_id" uuid NOT NULL,
	"status" text NOT NULL,
	"net_pence" bigint NOT NULL,
	"vat_pence" bigint NOT NULL,
	"total_pence" bigint NOT NULL,
	"lines" jsonb NOT NULL,
	"reason" text NOT NULL,
	"failure" text,
	"credit_note_id" uuid,
	"provider_refund_ids" text[] DEFAULT '{}' NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"ordered_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invoice_refunds_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "invoice_refunds_total" CHECK (total_pence = net_pence + vat_pence and net_pence >= 0 and vat_pence >= 0 and total_pence > 0)
);
--> statement-breakpoint
CREATE TABLE "price_notices" (
	"company_id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"move_id" uuid NOT NULL,
	"status" text NOT NULL,
	"from_version" integer NOT NULL,
	"to_version" integer NOT NULL,
	"noticed_on" date NOT NULL,
	"moves_from" date NOT NULL,
	"connections" integer NOT NULL,
	"from_total_pence" bigint NOT NULL,
	"to_total_pence" bigint NOT NULL,
	"moved_at" timestamp (3) with time zone,
	CONSTRAINT "price_notices_company_id_subscription_id_move_id_pk" PRIMARY KEY("company_id","subscription_id","move_id"),
	CONSTRAINT "price_notices_days" CHECK (moves_from >= noticed_on + 60)
);
--> statement-breakpoint
ALTER TABLE "subscription_changes" ALTER COLUMN "ordered_by" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "subscription_changes" ADD COLUMN "from_version" integer;--> statement-breakpoint
ALTER TABLE "subscription_changes" ADD COLUMN "to_version" integer;--> statement-breakpoint
ALTER TABLE "subscription_changes" ADD COLUMN "applies_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "vat_invoices" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "price_moves" ADD CONSTRAINT "price_moves_to_version_price_lists_version_fk" FOREIGN KEY ("to_version") REFERENCES "public"."price_lists"("version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_refunds" ADD CONSTRAINT "invoice_refunds_company_id_invoice_id_vat_invoices_company_id_id_fk" FOREIGN KEY ("company_id","invoice_id") REFERENCES "public"."vat_invoices"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_refunds" ADD CONSTRAINT "invoice_refunds_company_id_credit_note_id_vat_invoices_company_id_id_fk" FOREIGN KEY ("company_id","credit_note_id") REFERENCES "public"."vat_invoices"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_notices" ADD CONSTRAINT "price_notices_move_id_price_moves_id_fk" FOREIGN KEY ("move_id") REFERENCES "public"."price_moves"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_notices" ADD CONSTRAINT "price_notices_from_version_price_lists_version_fk" FOREIGN KEY ("from_version") REFERENCES "public"."price_lists"("version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_notices" ADD CONSTRAINT "price_notices_to_version_price_lists_version_fk" FOREIGN KEY ("to_version") REFERENCES "public"."price_lists"("version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_notices" ADD CONSTRAINT "price_notices_company_id_subscription_id_subscriptions_company_id_id_fk" FOREIGN KEY ("company_id","subscription_id") REFERENCES "public"."subscriptions"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invoice_refunds_invoice" ON "invoice_refunds" USING btree ("company_id","invoice_id");--> statement-breakpoint
CREATE INDEX "invoice_refunds_status" ON "invoice_refunds" USING btree ("status");--> statement-breakpoint
CREATE UNIQUE INDEX "price_notices_open" ON "price_notices" USING btree ("company_id","subscription_id") WHERE status = 'noticed';--> statement-breakpoint
-- Together the refunds of an invoice, made or on their way, never exceed it. The company's row makes two refunds at once wait for each other.
CREATE FUNCTION require_refundable() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  invoiced bigint;
  refunded bigint;
BEGIN
  PERFORM FROM companies WHERE id = NEW.company_id FOR NO KEY UPDATE;
  SELECT total_pence INTO invoiced FROM vat_invoices WHERE company_id = NEW.company_id AND id = NEW.invoice_id AND kind = 'invoice';
  SELECT coalesce(sum(total_pence), 0) INTO refunded FROM invoice_refunds
    WHERE company_id = NEW.company_id AND invoice_id = NEW.invoice_id AND status <> 'refused';
  IF invoiced IS NULL OR refunded > invoiced THEN
    RAISE EXCEPTION 'refunds of % pence exceed invoice %', refunded, NEW.invoice_id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER invoice_refunds_refundable AFTER INSERT OR UPDATE OF status, total_pence, invoice_id ON invoice_refunds
  FOR EACH ROW EXECUTE FUNCTION require_refundable();
--> statement-breakpoint
-- As in migration 0064, and refunds stay with their invoices.
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
      AND c.relname NOT IN ('ledger_postings', 'ledger_lines', 'audit_entries', 'audit_heads', 'vat_invoices', 'vat_invoice_lines', 'invoice_payments', 'invoice_refunds')
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
