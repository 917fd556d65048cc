CREATE TABLE "client_invitations" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"email" text NOT NULL,
	"token_hash" text,
	"invited_by" uuid NOT NULL,
	"invited_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"opened_at" timestamp (3) with time zone,
	"accepted_at" timestamp (3) with time zone,
	"accepted_by" uuid,
	"revoked_at" timestamp (3) with time zone,
	"bounced_at" timestamp (3) with time zone,
	"reminders" integer DEFAULT 0 NOT NULL,
	"reminders_ended_at" timestamp (3) with time zone,
	CONSTRAINT "client_invitations_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "client_people" (
	"company_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"joined_at" timestamp (3) with time zone NOT NULL,
	"remind_days" integer DEFAULT 7,
	"people_emails" boolean DEFAULT true NOT NULL,
	"reminded_items" text[] DEFAULT '{}' NOT NULL,
	"reminded_on" date,
	CONSTRAINT "client_people_company_id_client_id_user_id_pk" PRIMARY KEY("company_id","client_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "client_invitations" ADD CONSTRAINT "client_invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_invitations" ADD CONSTRAINT "client_invitations_accepted_by_users_id_fk" FOREIGN KEY ("accepted_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_invitations" ADD CONSTRAINT "client_invitations_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_people" ADD CONSTRAINT "client_people_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_people" ADD CONSTRAINT "client_people_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "client_invitations_token" ON "client_invitations" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "client_invitations_client" ON "client_invitations" USING btree ("company_id","client_id");--> statement-breakpoint
CREATE UNIQUE INDEX "client_invitations_open" ON "client_invitations" USING btree ("company_id","client_id","email") WHERE accepted_at is null and revoked_at is null;--> statement-breakpoint
CREATE INDEX "client_people_user" ON "client_people" USING btree ("user_id");--> statement-breakpoint
-- A client's call finds its tenant by this view, and lists the person's companies of all practices.
CREATE VIEW all_tenants_client_people AS
  SELECT p.company_id, p.client_id, p.user_id, c.name AS client_name, practice.name AS practice_name
  FROM client_people p
  JOIN clients c ON c.company_id = p.company_id AND c.id = p.client_id
  JOIN companies practice ON practice.id = p.company_id;
