CREATE TABLE "authorisation_emails" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"tax" text NOT NULL,
	"invitation_id" text NOT NULL,
	"kind" text NOT NULL,
	"requested_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"message_id" uuid,
	"gap" text,
	CONSTRAINT "authorisation_emails_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "practices" ADD COLUMN "emails_requests" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "authorisation_runs" ADD COLUMN "emails_clients" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "authorisation_emails" ADD CONSTRAINT "authorisation_emails_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorisation_emails" ADD CONSTRAINT "authorisation_emails_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "authorisation_emails_once" ON "authorisation_emails" USING btree ("company_id","client_id","tax","invitation_id","kind") WHERE kind <> 'repeat';--> statement-breakpoint
CREATE INDEX "authorisation_emails_client" ON "authorisation_emails" USING btree ("company_id","client_id","tax");--> statement-breakpoint
CREATE INDEX "authorisation_emails_message" ON "authorisation_emails" USING btree ("company_id","message_id","client_id");