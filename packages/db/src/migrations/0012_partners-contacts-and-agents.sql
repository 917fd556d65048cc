CREATE TABLE "company_agents" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"partner" text NOT NULL,
	"consent_text" text NOT NULL,
	"set_at" timestamp (3) with time zone NOT NULL,
	"set_by" uuid NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ended_by" uuid,
	CONSTRAINT "company_agents_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "partner_contacts" (
	"partner" text NOT NULL,
	"user_id" uuid NOT NULL,
	"added_at" timestamp (3) with time zone NOT NULL,
	"added_by" uuid NOT NULL,
	CONSTRAINT "partner_contacts_partner_user_id_pk" PRIMARY KEY("partner","user_id")
);
--> statement-breakpoint
ALTER TABLE "partner_contacts" ADD CONSTRAINT "partner_contacts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "company_agents_one" ON "company_agents" USING btree ("company_id") WHERE "company_agents"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "company_agents_partner" ON "company_agents" USING btree ("partner","company_id");--> statement-breakpoint
CREATE INDEX "partner_contacts_user" ON "partner_contacts" USING btree ("user_id");