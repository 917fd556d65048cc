CREATE TABLE "price_list_drafts" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"draft" jsonb NOT NULL,
	CONSTRAINT "price_list_drafts_one" CHECK (id = 1)
);
--> statement-breakpoint
CREATE TABLE "billing_accounts" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"billing_name" text DEFAULT '' NOT NULL,
	"billing_email" text DEFAULT '' NOT NULL,
	"billing_address" text DEFAULT '' NOT NULL,
	"promotion_code" text DEFAULT '' NOT NULL,
	"provider_customer_id" text,
	"setup_id" text,
	"payment_method_id" text,
	"payment_method_kind" text,
	"payment_method_label" text,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "billing_accounts_provider_customer_id_unique" UNIQUE("provider_customer_id")
);
--> statement-breakpoint
CREATE TABLE "invoice_payments" (
	"company_id" uuid NOT NULL,
	"invoice_id" uuid NOT NULL,
	"status" text NOT NULL,
	"charge_id" text,
	"amount_due_pence" bigint NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invoice_payments_company_id_invoice_id_pk" PRIMARY KEY("company_id","invoice_id")
);
--> statement-breakpoint
CREATE TABLE "invoice_sequences" (
	"seller_vat_number" text PRIMARY KEY NOT NULL,
	"last_number" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscription_changes" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"refusal" text,
	"connections" integer,
	"from_connections" integer,
	"period_start" timestamp (3) with time zone,
	"from_net_pence" bigint,
	"to_net_pence" bigint,
	"ordered_by" uuid NOT NULL,
	"ordered_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "subscription_changes_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"price_list_version" integer NOT NULL,
	"connections" integer NOT NULL,
	"subscribed_on" date NOT NULL,
	"net_pence" bigint NOT NULL,
	"promotion_code" text,
	"discount_kind" text,
	"discount_value" integer,
	"discount_months" integer,
	"discount_from" timestamp (3) with time zone,
	"ends_at_renewal" boolean DEFAULT false NOT NULL,
	"provider_subscription_id" text,
	"provider_item_id" text,
	"period_start" timestamp (3) with time zone,
	"period_end" timestamp (3) with time zone,
	"unpaid_since" timestamp (3) with time zone,
	"failure" text,
	"amount_due_pence" bigint NOT NULL,
	"unpaid_invoice_id" text,
	"confirmation_url" text,
	"ordered_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"read_at" timestamp (3) with time zone,
	CONSTRAINT "subscriptions_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "subscriptions_provider_subscription_id_unique" UNIQUE("provider_subscription_id")
);
--> statement-breakpoint
CREATE TABLE "vat_invoice_lines" (
	"company_id" uuid NOT NULL,
	"invoice_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"description" text NOT NULL,
	"quantity" integer,
	"amount_pence" bigint NOT NULL,
	CONSTRAINT "vat_invoice_lines_company_id_invoice_id_position_pk" PRIMARY KEY("company_id","invoice_id","position")
);
--> statement-breakpoint
CREATE TABLE "vat_invoices" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"sequence" integer NOT NULL,
	"number" text NOT NULL,
	"issued_on" date NOT NULL,
	"period_start" date NOT NULL,
	"period_end" date NOT NULL,
	"seller_name" text NOT NULL,
	"seller_address" text NOT NULL,
	"seller_vat_number" text NOT NULL,
	"customer_name" text NOT NULL,
	"customer_contact" text NOT NULL,
	"customer_address" text NOT NULL,
	"net_pence" bigint NOT NULL,
	"vat_rate_bps" integer NOT NULL,
	"vat_pence" bigint NOT NULL,
	"total_pence" bigint NOT NULL,
	"provider_id" text NOT NULL,
	"corrects_id" uuid,
	"issued_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "vat_invoices_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "vat_invoices_total" CHECK (total_pence = net_pence + vat_pence)
);
--> statement-breakpoint
ALTER TABLE "billing_accounts" ADD CONSTRAINT "billing_accounts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_payments" ADD CONSTRAINT "invoice_payments_company_id_invoice_id_vat_invoices_company_id_id_fk" FOREIGN KEY ("company_id","invoice_id") REFERENCES "public"."vat_invoices"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_changes" ADD CONSTRAINT "subscription_changes_company_id_subscription_id_subscriptions_company_id_id_fk" FOREIGN KEY ("company_id","subscription_id") REFERENCES "public"."subscriptions"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_price_list_version_price_lists_version_fk" FOREIGN KEY ("price_list_version") REFERENCES "public"."price_lists"("version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_promotion_code_promotion_codes_code_fk" FOREIGN KEY ("promotion_code") REFERENCES "public"."promotion_codes"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vat_invoice_lines" ADD CONSTRAINT "vat_invoice_lines_company_id_invoice_id_vat_invoices_company_id_id_fk" FOREIGN KEY ("company_id","invoice_id") REFERENCES "public"."vat_invoices"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vat_invoices" ADD CONSTRAINT "vat_invoices_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invoice_payments_charge" ON "invoice_payments" USING btree ("charge_id");--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_changes_sending" ON "subscription_changes" USING btree ("company_id","subscription_id") WHERE status = 'sending';--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_live" ON "subscriptions" USING btree ("company_id") WHERE status <> 'ended';--> statement-breakpoint
CREATE UNIQUE INDEX "vat_invoices_provider" ON "vat_invoices" USING btree ("company_id","provider_id");--> statement-breakpoint
CREATE UNIQUE INDEX "vat_invoices_number" ON "vat_invoices" USING btree ("seller_vat_number","sequence");--> statement-breakpoint
CREATE INDEX "vat_invoices_issued" ON "vat_invoices" USING btree ("company_id","issued_on");--> statement-breakpoint
-- An invoice never changes (VAT Regulations 1995, regulation 14): a correction is a credit note.
CREATE TRIGGER vat_invoices_append_only BEFORE UPDATE OR DELETE ON vat_invoices FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER vat_invoice_lines_append_only BEFORE UPDATE OR DELETE ON vat_invoice_lines FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- The lines are the invoice: their sum is its net amount, checked at the commit.
CREATE FUNCTION require_invoice_lines() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lines_net bigint;
BEGIN
  SELECT coalesce(sum(amount_pence), 0) INTO lines_net FROM vat_invoice_lines WHERE company_id = NEW.company_id AND invoice_id = NEW.id;
  IF lines_net <> NEW.net_pence THEN
    RAISE EXCEPTION 'the lines of invoice % are % pence, not %', NEW.number, lines_net, NEW.net_pence USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER vat_invoices_lines AFTER INSERT ON vat_invoices
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_invoice_lines();
--> statement-breakpoint
-- As in migration 0047, but invoices and their payments stay, as the ledger does: six years at least, and no gap in the sequence.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME NOT IN ('ledger_postings', 'ledger_lines', 'vat_invoices', 'vat_invoice_lines') THEN
    IF is_erased_by_owner(TG_RELID, OLD.company_id) THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'integrity_constraint_violation';
END $$;
--> statement-breakpoint
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
      AND c.relname NOT IN ('ledger_postings', 'ledger_lines', 'audit_entries', 'audit_heads', 'vat_invoices', 'vat_invoice_lines', 'invoice_payments')
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
