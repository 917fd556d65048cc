CREATE TABLE "direct_debits" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"shortfall_id" uuid NOT NULL,
	"mandate_id" uuid NOT NULL,
	"amount_pence" bigint NOT NULL,
	"charge_on" date NOT NULL,
	"status" text NOT NULL,
	"provider_payment_id" text,
	"failure" text,
	"place" text NOT NULL,
	"moves" integer DEFAULT 0 NOT NULL,
	"applied_pence" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"cancel_requested_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "direct_debits_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "mandates" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"billing_request_id" text,
	"provider_mandate_id" text,
	"reference" text,
	"next_charge_on" date,
	"requested_by" uuid NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"activated_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mandates_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "payout_nettings" (
	"company_id" uuid NOT NULL,
	"payout_id" uuid NOT NULL,
	"shortfall_id" uuid NOT NULL,
	"amount_pence" bigint NOT NULL,
	"applied_pence" bigint,
	"reversed_at" timestamp (3) with time zone,
	CONSTRAINT "payout_nettings_company_id_payout_id_shortfall_id_pk" PRIMARY KEY("company_id","payout_id","shortfall_id")
);
--> statement-breakpoint
CREATE TABLE "shortfall_events" (
	"company_id" uuid NOT NULL,
	"shortfall_id" uuid NOT NULL,
	"sequence" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor" text NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "shortfall_events_company_id_shortfall_id_sequence_pk" PRIMARY KEY("company_id","shortfall_id","sequence")
);
--> statement-breakpoint
CREATE TABLE "shortfall_instalments" (
	"company_id" uuid NOT NULL,
	"shortfall_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"due_on" date NOT NULL,
	"amount_pence" bigint NOT NULL,
	CONSTRAINT "shortfall_instalments_company_id_shortfall_id_number_pk" PRIMARY KEY("company_id","shortfall_id","number")
);
--> statement-breakpoint
CREATE TABLE "shortfall_letters" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"shortfall_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"heading" text NOT NULL,
	"paragraphs" jsonb NOT NULL,
	"facts" jsonb NOT NULL,
	CONSTRAINT "shortfall_letters_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "shortfall_recoveries" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"advance_id" uuid NOT NULL,
	"source" text NOT NULL,
	"source_id" uuid NOT NULL,
	"amount_pence" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "shortfall_recoveries_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "shortfalls" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"advance_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"status" text NOT NULL,
	"cause" text NOT NULL,
	"cause_text" text NOT NULL,
	"suspected_pence" bigint NOT NULL,
	"owner_id" uuid,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"due_on" date,
	"plan_started_from_pence" bigint,
	"dispute_reason" text,
	"disputed_at" timestamp (3) with time zone,
	"reminded_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "shortfalls_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "advances" ADD COLUMN "agreement_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "advances" ADD COLUMN "repayment_days" integer DEFAULT 30 NOT NULL;--> statement-breakpoint
ALTER TABLE "advances" ADD COLUMN "mandate_required" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "direct_debits_one_pending" ON "direct_debits" USING btree ("company_id","shortfall_id") WHERE "direct_debits"."status" in ('created', 'pending_customer_approval', 'pending_submission', 'submitted');--> statement-breakpoint
CREATE UNIQUE INDEX "direct_debits_provider" ON "direct_debits" USING btree ("provider_payment_id");--> statement-breakpoint
CREATE INDEX "direct_debits_shortfall" ON "direct_debits" USING btree ("company_id","shortfall_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "mandates_one_live" ON "mandates" USING btree ("company_id") WHERE "mandates"."status" in ('requested', 'pending_customer_approval', 'pending_submission', 'submitted', 'active');--> statement-breakpoint
CREATE UNIQUE INDEX "mandates_billing_request" ON "mandates" USING btree ("billing_request_id");--> statement-breakpoint
CREATE UNIQUE INDEX "mandates_provider" ON "mandates" USING btree ("provider_mandate_id");--> statement-breakpoint
CREATE INDEX "shortfall_letters_shortfall" ON "shortfall_letters" USING btree ("company_id","shortfall_id","at");--> statement-breakpoint
CREATE INDEX "shortfall_recoveries_advance" ON "shortfall_recoveries" USING btree ("company_id","advance_id");--> statement-breakpoint
CREATE UNIQUE INDEX "shortfalls_advance" ON "shortfalls" USING btree ("company_id","advance_id");--> statement-breakpoint
CREATE INDEX "shortfalls_open" ON "shortfalls" USING btree ("updated_at") WHERE "shortfalls"."status" in ('watching', 'due', 'disputed');--> statement-breakpoint
CREATE TRIGGER shortfall_events_append_only BEFORE UPDATE OR DELETE ON shortfall_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER shortfall_letters_append_only BEFORE UPDATE OR DELETE ON shortfall_letters FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER shortfall_recoveries_append_only BEFORE UPDATE OR DELETE ON shortfall_recoveries FOR EACH ROW EXECUTE FUNCTION refuse_change();
