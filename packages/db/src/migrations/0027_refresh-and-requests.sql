CREATE TABLE "authorisation_run_clients" (
	"company_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"outcome" text,
	CONSTRAINT "authorisation_run_clients_company_id_run_id_client_id_pk" PRIMARY KEY("company_id","run_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "authorisation_runs" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"tax" text NOT NULL,
	"started_by" uuid NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"reason" text,
	"fraud_headers" text NOT NULL,
	CONSTRAINT "authorisation_runs_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "batch_header_confirmations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"headers" jsonb NOT NULL,
	"note" text NOT NULL,
	"recorded_by" uuid NOT NULL,
	"recorded_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "position_changes" (
	"company_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"tax" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	CONSTRAINT "position_changes_company_id_client_id_tax_changed_at_pk" PRIMARY KEY("company_id","client_id","tax","changed_at")
);
--> statement-breakpoint
ALTER TABLE "sync_runs" ALTER COLUMN "started_by" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "practices" ADD COLUMN "nightly_refresh" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sync_runs" ADD COLUMN "throttled" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sync_runs" ADD COLUMN "throttled_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "authorisation_run_clients" ADD CONSTRAINT "authorisation_run_clients_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorisation_run_clients" ADD CONSTRAINT "authorisation_run_clients_company_id_run_id_authorisation_runs_company_id_id_fk" FOREIGN KEY ("company_id","run_id") REFERENCES "public"."authorisation_runs"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorisation_runs" ADD CONSTRAINT "authorisation_runs_started_by_users_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_header_confirmations" ADD CONSTRAINT "batch_header_confirmations_recorded_by_users_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "position_changes" ADD CONSTRAINT "position_changes_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "authorisation_run_clients_queue" ON "authorisation_run_clients" USING btree ("company_id","run_id") WHERE outcome is null;--> statement-breakpoint
CREATE UNIQUE INDEX "authorisation_runs_live" ON "authorisation_runs" USING btree ("company_id","tax") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "authorisation_runs_started" ON "authorisation_runs" USING btree ("company_id","started_at");--> statement-breakpoint
CREATE INDEX "position_changes_time" ON "position_changes" USING btree ("company_id","changed_at");