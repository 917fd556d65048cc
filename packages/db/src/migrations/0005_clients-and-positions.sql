-- Both are trusted extensions: the owner of the database may create them, no superuser is needed.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gin;--> statement-breakpoint
CREATE TABLE "client_import_rows" (
	"company_id" uuid NOT NULL,
	"import_id" uuid NOT NULL,
	"row" integer NOT NULL,
	"said" jsonb NOT NULL,
	"outcome" text NOT NULL,
	"problems" jsonb NOT NULL,
	"client_id" uuid,
	"before" jsonb,
	"applied_at" timestamp (3) with time zone,
	CONSTRAINT "client_import_rows_company_id_import_id_row_pk" PRIMARY KEY("company_id","import_id","row")
);
--> statement-breakpoint
CREATE TABLE "client_imports" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"source" text NOT NULL,
	"file_name" text NOT NULL,
	"state" text NOT NULL,
	"started_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"rows_done" integer DEFAULT 0 NOT NULL,
	"rows_total" integer NOT NULL,
	"reason" text,
	CONSTRAINT "client_imports_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "client_members" (
	"company_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"duty" text NOT NULL,
	"assigned_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "client_members_company_id_client_id_user_id_duty_pk" PRIMARY KEY("company_id","client_id","user_id","duty")
);
--> statement-breakpoint
CREATE TABLE "client_notes" (
	"company_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"text" text NOT NULL,
	"written_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "client_notes_company_id_client_id_id_pk" PRIMARY KEY("company_id","client_id","id")
);
--> statement-breakpoint
CREATE TABLE "client_rows" (
	"company_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"name" text NOT NULL,
	"sort_name" text NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"vrn" text,
	"utr" text,
	"company_number" text,
	"has_vat" boolean NOT NULL,
	"has_paye" boolean NOT NULL,
	"has_ct" boolean NOT NULL,
	"has_sa" boolean NOT NULL,
	"next_due_on" date NOT NULL,
	"next_due_tax" text,
	"next_due_what" text,
	"next_due_pence" bigint,
	"owed_pence" bigint NOT NULL,
	"overdue_pence" bigint NOT NULL,
	"refund_pence" bigint NOT NULL,
	"attention" text NOT NULL,
	"members" jsonb NOT NULL,
	"search" text NOT NULL,
	"as_of" timestamp (3) with time zone,
	CONSTRAINT "client_rows_company_id_client_id_pk" PRIMARY KEY("company_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "clients" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"has_vat" boolean NOT NULL,
	"has_paye" boolean NOT NULL,
	"has_ct" boolean NOT NULL,
	"has_sa" boolean NOT NULL,
	"vrn" text,
	"utr" text,
	"nino" text,
	"company_number" text,
	"paye_reference" text,
	"accounts_office_reference" text,
	"postcode" text,
	"vat_registered_on" date,
	"year_end_on" date,
	"year_end_source" text,
	"email" text,
	"phone" text,
	"import_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "clients_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "practices" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"arn" text,
	"agent_code_ct" text,
	"agent_code_paye" text,
	"agent_code_sa" text,
	"taxes" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"company_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "saved_views_company_id_user_id_id_pk" PRIMARY KEY("company_id","user_id","id")
);
--> statement-breakpoint
CREATE TABLE "calendar_feeds" (
	"company_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "calendar_feeds_company_id_user_id_pk" PRIMARY KEY("company_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "client_authorisations" (
	"company_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"tax" text NOT NULL,
	"status" text NOT NULL,
	"invitation_id" text,
	"client_action_url" text,
	"sent_at" timestamp (3) with time zone,
	"expires_on" date,
	"checked_at" timestamp (3) with time zone,
	"refusal" text,
	CONSTRAINT "client_authorisations_company_id_client_id_tax_pk" PRIMARY KEY("company_id","client_id","tax")
);
--> statement-breakpoint
CREATE TABLE "client_observations" (
	"company_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"taken_at" timestamp (3) with time zone NOT NULL,
	"source" text NOT NULL,
	"body" jsonb NOT NULL,
	"body_hash" text NOT NULL,
	"statement_id" uuid,
	CONSTRAINT "client_observations_company_id_client_id_kind_taken_at_pk" PRIMARY KEY("company_id","client_id","kind","taken_at")
);
--> statement-breakpoint
CREATE TABLE "client_syncs" (
	"company_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"tax" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"run_id" uuid,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"retry_at" timestamp (3) with time zone,
	"read_at" timestamp (3) with time zone,
	CONSTRAINT "client_syncs_company_id_client_id_tax_pk" PRIMARY KEY("company_id","client_id","tax")
);
--> statement-breakpoint
CREATE TABLE "due_items" (
	"company_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"tax" text NOT NULL,
	"key" text NOT NULL,
	"what" text NOT NULL,
	"due_on" date NOT NULL,
	"amount_pence" bigint,
	"title" text NOT NULL,
	"period_start" date,
	"period_end" date,
	"source" text NOT NULL,
	"as_of" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "due_items_company_id_client_id_tax_key_pk" PRIMARY KEY("company_id","client_id","tax","key")
);
--> statement-breakpoint
CREATE TABLE "practice_totals" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"counted_on" date NOT NULL,
	"counted_at" timestamp (3) with time zone NOT NULL,
	"totals" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_pace" (
	"provider" text PRIMARY KEY NOT NULL,
	"next_at_micros" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sync_runs" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"tax" text NOT NULL,
	"state" text NOT NULL,
	"started_by" uuid NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"total" integer NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"reason" text,
	"fraud_headers" text NOT NULL,
	CONSTRAINT "sync_runs_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "tax_positions" (
	"company_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"tax" text NOT NULL,
	"owed_pence" bigint NOT NULL,
	"overdue_pence" bigint NOT NULL,
	"overdue_since" date,
	"refund_pence" bigint NOT NULL,
	"overdue_returns" integer NOT NULL,
	"penalty_points" integer,
	"points_threshold" integer,
	"penalty_pence" bigint NOT NULL,
	"interest_pence" bigint NOT NULL,
	"computed_on" date NOT NULL,
	"is_estimate" boolean NOT NULL,
	"next_due_on" date,
	"next_due_what" text,
	"next_due_pence" bigint,
	"source" text NOT NULL,
	"as_of" timestamp (3) with time zone,
	"detail" jsonb NOT NULL,
	CONSTRAINT "tax_positions_company_id_client_id_tax_pk" PRIMARY KEY("company_id","client_id","tax")
);
--> statement-breakpoint
CREATE TABLE "tax_statements" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"tax" text NOT NULL,
	"file_name" text NOT NULL,
	"imported_by" uuid NOT NULL,
	"imported_at" timestamp (3) with time zone NOT NULL,
	"rows" integer NOT NULL,
	"refused" jsonb NOT NULL,
	CONSTRAINT "tax_statements_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "client_import_rows" ADD CONSTRAINT "client_import_rows_company_id_import_id_client_imports_company_id_id_fk" FOREIGN KEY ("company_id","import_id") REFERENCES "public"."client_imports"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_imports" ADD CONSTRAINT "client_imports_started_by_users_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_members" ADD CONSTRAINT "client_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_members" ADD CONSTRAINT "client_members_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_notes" ADD CONSTRAINT "client_notes_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_notes" ADD CONSTRAINT "client_notes_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_rows" ADD CONSTRAINT "client_rows_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clients" ADD CONSTRAINT "clients_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practices" ADD CONSTRAINT "practices_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_authorisations" ADD CONSTRAINT "client_authorisations_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_observations" ADD CONSTRAINT "client_observations_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_syncs" ADD CONSTRAINT "client_syncs_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "due_items" ADD CONSTRAINT "due_items_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_runs" ADD CONSTRAINT "sync_runs_started_by_users_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tax_positions" ADD CONSTRAINT "tax_positions_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tax_statements" ADD CONSTRAINT "tax_statements_imported_by_users_id_fk" FOREIGN KEY ("imported_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "client_import_rows_outcome" ON "client_import_rows" USING btree ("company_id","import_id","outcome","row");--> statement-breakpoint
CREATE INDEX "client_imports_created" ON "client_imports" USING btree ("company_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "client_imports_live" ON "client_imports" USING btree ("company_id") WHERE state in ('checking', 'importing');--> statement-breakpoint
CREATE INDEX "client_members_user" ON "client_members" USING btree ("company_id","user_id","client_id");--> statement-breakpoint
CREATE INDEX "client_rows_next_due" ON "client_rows" USING btree ("company_id","next_due_on","client_id");--> statement-breakpoint
CREATE INDEX "client_rows_name" ON "client_rows" USING btree ("company_id","sort_name","client_id");--> statement-breakpoint
CREATE INDEX "client_rows_overdue" ON "client_rows" USING btree ("company_id","overdue_pence","client_id");--> statement-breakpoint
CREATE INDEX "client_rows_owed" ON "client_rows" USING btree ("company_id","owed_pence","client_id");--> statement-breakpoint
CREATE INDEX "client_rows_refund" ON "client_rows" USING btree ("company_id","refund_pence","client_id");--> statement-breakpoint
CREATE INDEX "client_rows_search" ON "client_rows" USING gin ("company_id","search" gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "clients_vrn" ON "clients" USING btree ("company_id","vrn");--> statement-breakpoint
CREATE UNIQUE INDEX "clients_utr" ON "clients" USING btree ("company_id","utr");--> statement-breakpoint
CREATE UNIQUE INDEX "clients_nino" ON "clients" USING btree ("company_id","nino");--> statement-breakpoint
CREATE UNIQUE INDEX "clients_company_number" ON "clients" USING btree ("company_id","company_number");--> statement-breakpoint
CREATE UNIQUE INDEX "clients_paye_reference" ON "clients" USING btree ("company_id","paye_reference");--> statement-breakpoint
CREATE INDEX "clients_name_postcode" ON "clients" USING btree ("company_id",lower("name"),"postcode");--> statement-breakpoint
CREATE INDEX "clients_import" ON "clients" USING btree ("company_id","import_id");--> statement-breakpoint
CREATE UNIQUE INDEX "calendar_feeds_token" ON "calendar_feeds" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "client_authorisations_status" ON "client_authorisations" USING btree ("company_id","status","tax");--> statement-breakpoint
CREATE INDEX "client_syncs_state" ON "client_syncs" USING btree ("company_id","tax","state","client_id");--> statement-breakpoint
CREATE INDEX "client_syncs_run" ON "client_syncs" USING btree ("run_id","state","client_id");--> statement-breakpoint
CREATE INDEX "due_items_day" ON "due_items" USING btree ("company_id","due_on","tax","client_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sync_runs_live" ON "sync_runs" USING btree ("company_id","tax") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "sync_runs_started" ON "sync_runs" USING btree ("company_id","tax","started_at");--> statement-breakpoint
CREATE INDEX "tax_positions_tax" ON "tax_positions" USING btree ("company_id","tax","next_due_on","client_id");--> statement-breakpoint
-- What a source said and what a person wrote down stays as it was; both go only with the client they are about.
CREATE TRIGGER client_observations_unchanged BEFORE UPDATE ON client_observations FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER client_notes_unchanged BEFORE UPDATE ON client_notes FOR EACH ROW EXECUTE FUNCTION refuse_change();
