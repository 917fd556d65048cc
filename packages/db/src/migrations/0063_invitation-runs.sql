CREATE TABLE "invitation_run_clients" (
	"company_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"email" text NOT NULL,
	"status" text NOT NULL,
	"invitation_id" uuid,
	"attempt_id" uuid,
	"ended_at" timestamp (3) with time zone,
	"reason" text,
	CONSTRAINT "invitation_run_clients_company_id_run_id_client_id_pk" PRIMARY KEY("company_id","run_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "invitation_runs" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"state" text NOT NULL,
	"started_by" uuid NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"total" integer NOT NULL,
	"waits" text,
	CONSTRAINT "invitation_runs_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "invitation_run_clients" ADD CONSTRAINT "invitation_run_clients_company_id_run_id_invitation_runs_company_id_id_fk" FOREIGN KEY ("company_id","run_id") REFERENCES "public"."invitation_runs"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_run_clients" ADD CONSTRAINT "invitation_run_clients_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_runs" ADD CONSTRAINT "invitation_runs_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_runs" ADD CONSTRAINT "invitation_runs_started_by_users_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invitation_run_clients_open" ON "invitation_run_clients" USING btree ("company_id","run_id","position") WHERE status in ('queued', 'sending');--> statement-breakpoint
CREATE INDEX "invitation_runs_started" ON "invitation_runs" USING btree ("company_id","started_at");