CREATE TABLE "account_credits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider_transaction_id" text NOT NULL,
	"currency" text NOT NULL,
	"amount_pence" bigint NOT NULL,
	"remitter" text NOT NULL,
	"reference" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	"resolution" text,
	"resolved_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "account_credits_provider" ON "account_credits" USING btree ("provider_transaction_id");