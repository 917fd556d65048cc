CREATE TABLE "unrecorded_payouts" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"provider_payout_id" text NOT NULL,
	"advance_id" uuid,
	"payout_id" uuid,
	"amount_pence" bigint NOT NULL,
	"reference" text NOT NULL,
	"account_holder" text NOT NULL,
	"sort_code" text NOT NULL,
	"account_number" text NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	"resolution" text,
	"resolved_at" timestamp (3) with time zone,
	CONSTRAINT "unrecorded_payouts_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "unrecorded_payouts_provider" ON "unrecorded_payouts" USING btree ("provider_payout_id");--> statement-breakpoint
CREATE INDEX "unrecorded_payouts_payout" ON "unrecorded_payouts" USING btree ("company_id","payout_id");