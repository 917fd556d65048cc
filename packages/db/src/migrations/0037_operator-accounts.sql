CREATE TABLE "operator_bank_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"sealed" text NOT NULL,
	"account_end" text NOT NULL,
	"recorded_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "operator_bank_accounts" ADD CONSTRAINT "operator_bank_accounts_user_id_operators_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."operators"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "operator_bank_accounts_user" ON "operator_bank_accounts" USING btree ("user_id");