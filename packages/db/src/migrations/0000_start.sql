CREATE TABLE "advance_moves" (
	"company_id" uuid NOT NULL,
	"advance_id" uuid NOT NULL,
	"sequence" integer NOT NULL,
	"from_state" text,
	"to_state" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor" text NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "advance_moves_company_id_advance_id_sequence_pk" PRIMARY KEY("company_id","advance_id","sequence")
);
--> statement-breakpoint
CREATE TABLE "advances" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"obligation_id" uuid NOT NULL,
	"filing_id" uuid NOT NULL,
	"state" text NOT NULL,
	"version" integer NOT NULL,
	"refund_pence" bigint NOT NULL,
	"fee_pence" bigint NOT NULL,
	"fee_rate_bps" integer NOT NULL,
	"net_pence" bigint NOT NULL,
	"eligible" boolean NOT NULL,
	"rules" jsonb NOT NULL,
	"agreement_text" text NOT NULL,
	"agreement_hash" text NOT NULL,
	"quoted_at" timestamp (3) with time zone NOT NULL,
	"valid_until" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"accepted_by" uuid,
	"accepted_ip" text,
	"bank_account_id" uuid,
	"collection_confirmed_at" timestamp (3) with time zone,
	"paid_at" timestamp (3) with time zone,
	"repaid_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "advances_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "bank_accounts" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"account_holder" text NOT NULL,
	"sort_code" text NOT NULL,
	"account_number" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_accounts_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "bank_credits" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"provider_transaction_id" text NOT NULL,
	"amount_pence" bigint NOT NULL,
	"remitter" text NOT NULL,
	"reference" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"advance_id" uuid,
	CONSTRAINT "bank_credits_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "collection_accounts" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"provider_account_id" text NOT NULL,
	"account_holder" text NOT NULL,
	"sort_code" text NOT NULL,
	"account_number" text NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payout_releases" (
	"company_id" uuid NOT NULL,
	"advance_id" uuid NOT NULL,
	"operator_id" uuid NOT NULL,
	"round" integer NOT NULL,
	"released_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_releases_company_id_advance_id_round_operator_id_pk" PRIMARY KEY("company_id","advance_id","round","operator_id")
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"advance_id" uuid NOT NULL,
	"round" integer NOT NULL,
	"status" text NOT NULL,
	"amount_pence" bigint NOT NULL,
	"account_holder" text NOT NULL,
	"sort_code" text NOT NULL,
	"account_number" text NOT NULL,
	"reference" text NOT NULL,
	"provider_payout_id" text,
	"failure" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"submitted_at" timestamp (3) with time zone,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "payouts_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"event_id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "attempts" (
	"subject" text NOT NULL,
	"window_start" timestamp (3) with time zone NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "attempts_subject_window_start_pk" PRIMARY KEY("subject","window_start")
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"company_id" uuid NOT NULL,
	"sequence" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"ip" text DEFAULT '' NOT NULL,
	"previous_hash" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_entries_company_id_sequence_pk" PRIMARY KEY("company_id","sequence")
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"sequence" integer DEFAULT 0 NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "companies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"company_number" text,
	"vrn" text,
	"vrn_registered_name" text,
	"partner" text DEFAULT 'organic' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "consent_states" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"company_id" uuid NOT NULL,
	"return_to" text NOT NULL,
	"code_verifier" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"company_id" uuid NOT NULL,
	"key" text NOT NULL,
	"endpoint" text NOT NULL,
	"input_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_company_id_key_pk" PRIMARY KEY("company_id","key")
);
--> statement-breakpoint
CREATE TABLE "login_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"sign_up" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"company_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "memberships_company_id_user_id_pk" PRIMARY KEY("company_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"sign_in_method" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ip" text NOT NULL,
	"user_agent" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"full_name" text NOT NULL,
	"phone" text,
	"password_hash" text,
	"is_operator" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_lines" (
	"company_id" uuid NOT NULL,
	"posting_id" uuid NOT NULL,
	"account" text NOT NULL,
	"amount_pence" bigint NOT NULL,
	CONSTRAINT "ledger_lines_company_id_posting_id_account_pk" PRIMARY KEY("company_id","posting_id","account")
);
--> statement-breakpoint
CREATE TABLE "ledger_postings" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"position" bigserial NOT NULL,
	"idempotency_key" text NOT NULL,
	"description" text NOT NULL,
	"on_date" date NOT NULL,
	"posted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_postings_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "books_files" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"rows" integer NOT NULL,
	"flagged" integer NOT NULL,
	"first_date" date,
	"last_date" date,
	"applied_at" timestamp (3) with time zone,
	"uploaded_by" uuid NOT NULL,
	CONSTRAINT "books_files_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "books_rows" (
	"company_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"date" date NOT NULL,
	"kind" text NOT NULL,
	"reference" text NOT NULL,
	"counterparty" text NOT NULL,
	"description" text NOT NULL,
	"net_pence" bigint NOT NULL,
	"vat_pence" bigint NOT NULL,
	"treatment" text NOT NULL,
	"flagged" boolean DEFAULT false NOT NULL,
	CONSTRAINT "books_rows_company_id_file_id_line_pk" PRIMARY KEY("company_id","file_id","line")
);
--> statement-breakpoint
CREATE TABLE "filings" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"obligation_id" uuid NOT NULL,
	"state" text NOT NULL,
	"boxes" jsonb NOT NULL,
	"figures_version" text NOT NULL,
	"file_id" uuid NOT NULL,
	"declaration" text NOT NULL,
	"filed_by" uuid NOT NULL,
	"fraud_headers" jsonb NOT NULL,
	"receipt" jsonb,
	"receipt_source" text,
	"refusal" text,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "filings_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "hmrc_connections" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"access_expires_at" timestamp (3) with time zone,
	"consent_ends_at" timestamp (3) with time zone,
	"connected_at" timestamp (3) with time zone,
	"figures_as_of" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "hmrc_observations" (
	"company_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"taken_at" timestamp (3) with time zone NOT NULL,
	"body" jsonb NOT NULL,
	CONSTRAINT "hmrc_observations_company_id_kind_taken_at_pk" PRIMARY KEY("company_id","kind","taken_at")
);
--> statement-breakpoint
CREATE TABLE "hmrc_returns" (
	"company_id" uuid NOT NULL,
	"obligation_id" uuid NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	"box1_pence" bigint NOT NULL,
	"box2_pence" bigint NOT NULL,
	"box4_pence" bigint NOT NULL,
	"box6_pounds" bigint NOT NULL,
	"box7_pounds" bigint NOT NULL,
	"box8_pounds" bigint NOT NULL,
	"box9_pounds" bigint NOT NULL,
	CONSTRAINT "hmrc_returns_company_id_obligation_id_pk" PRIMARY KEY("company_id","obligation_id")
);
--> statement-breakpoint
CREATE TABLE "obligations" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"period_key" text NOT NULL,
	"period_start" date NOT NULL,
	"period_end" date NOT NULL,
	"due_on" date NOT NULL,
	"status" text NOT NULL,
	"received_on" date,
	CONSTRAINT "obligations_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "period_figures" (
	"company_id" uuid NOT NULL,
	"obligation_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"rows" integer NOT NULL,
	"flagged" integer NOT NULL,
	"box1_pence" bigint NOT NULL,
	"box2_pence" bigint NOT NULL,
	"box4_pence" bigint NOT NULL,
	"box6_pounds" bigint NOT NULL,
	"box7_pounds" bigint NOT NULL,
	"box8_pounds" bigint NOT NULL,
	"box9_pounds" bigint NOT NULL,
	CONSTRAINT "period_figures_company_id_obligation_id_file_id_pk" PRIMARY KEY("company_id","obligation_id","file_id")
);
--> statement-breakpoint
CREATE TABLE "vrn_claims" (
	"vrn" text PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"claimed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "advances_one_live" ON "advances" USING btree ("company_id","obligation_id") WHERE "advances"."state" not in ('expired', 'withdrawn', 'declined');--> statement-breakpoint
CREATE INDEX "advances_updated" ON "advances" USING btree ("company_id","updated_at");--> statement-breakpoint
CREATE INDEX "advances_state" ON "advances" USING btree ("state","updated_at");--> statement-breakpoint
CREATE INDEX "bank_accounts_created" ON "bank_accounts" USING btree ("company_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_credits_provider" ON "bank_credits" USING btree ("company_id","provider_transaction_id");--> statement-breakpoint
CREATE UNIQUE INDEX "collection_accounts_provider" ON "collection_accounts" USING btree ("provider_account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_one_live" ON "payouts" USING btree ("company_id","advance_id") WHERE "payouts"."status" in ('created', 'submitted', 'executed');--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_provider" ON "payouts" USING btree ("provider_payout_id");--> statement-breakpoint
CREATE INDEX "login_links_email" ON "login_links" USING btree ("email");--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expires" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_postings_once" ON "ledger_postings" USING btree ("company_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "ledger_postings_position" ON "ledger_postings" USING btree ("position");--> statement-breakpoint
CREATE INDEX "books_files_applied" ON "books_files" USING btree ("company_id","applied_at");--> statement-breakpoint
CREATE INDEX "books_rows_date" ON "books_rows" USING btree ("company_id","file_id","date");--> statement-breakpoint
CREATE UNIQUE INDEX "filings_one_live" ON "filings" USING btree ("company_id","obligation_id") WHERE "filings"."state" in ('sending', 'unknown', 'accepted');--> statement-breakpoint
CREATE INDEX "filings_obligation" ON "filings" USING btree ("company_id","obligation_id","sent_at");--> statement-breakpoint
CREATE UNIQUE INDEX "obligations_period_key" ON "obligations" USING btree ("company_id","period_key","period_start");--> statement-breakpoint
CREATE INDEX "obligations_period_end" ON "obligations" USING btree ("company_id","period_end");