CREATE TABLE "direct_debit_payout_items" (
	"payout_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"type" text NOT NULL,
	"provider_payment_id" text,
	"tenths" integer NOT NULL,
	CONSTRAINT "direct_debit_payout_items_payout_id_number_pk" PRIMARY KEY("payout_id","number")
);
--> statement-breakpoint
CREATE TABLE "direct_debit_payouts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider_payout_id" text NOT NULL,
	"status" text NOT NULL,
	"reference" text NOT NULL,
	"currency" text NOT NULL,
	"net_pence" bigint NOT NULL,
	"gross_pence" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"arrives_on" date,
	"problem" text,
	"is_posted" boolean NOT NULL,
	"moves" integer DEFAULT 0 NOT NULL,
	"statement_pence" bigint,
	"statement_on" date,
	"checked_by" uuid,
	"checked_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "direct_debit_payout_items" ADD CONSTRAINT "direct_debit_payout_items_payout_id_direct_debit_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."direct_debit_payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "direct_debit_payouts_provider" ON "direct_debit_payouts" USING btree ("provider_payout_id");--> statement-breakpoint
CREATE INDEX "direct_debit_payouts_created" ON "direct_debit_payouts" USING btree ("created_at");