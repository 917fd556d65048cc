CREATE TABLE "collection_payouts" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"provider_payout_id" text NOT NULL,
	"amount_pence" bigint NOT NULL,
	"reference" text NOT NULL,
	"account_holder" text NOT NULL,
	"sort_code" text NOT NULL,
	"account_number" text NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	"resolution" text,
	"resolved_at" timestamp (3) with time zone,
	"credit_return_id" uuid,
	"account_credit_id" uuid,
	CONSTRAINT "collection_payouts_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "collection_payouts_provider" ON "collection_payouts" USING btree ("provider_payout_id");--> statement-breakpoint
CREATE UNIQUE INDEX "collection_payouts_return" ON "collection_payouts" USING btree ("credit_return_id");--> statement-breakpoint
CREATE UNIQUE INDEX "collection_payouts_arrival" ON "collection_payouts" USING btree ("account_credit_id");--> statement-breakpoint
CREATE INDEX "collection_payouts_open" ON "collection_payouts" USING btree ("company_id") WHERE "collection_payouts"."resolution" is null;