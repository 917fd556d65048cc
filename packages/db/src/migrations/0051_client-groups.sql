CREATE TABLE "assignment_rules" (
	"company_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"condition" jsonb NOT NULL,
	"duty" text NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "assignment_rules_company_id_position_pk" PRIMARY KEY("company_id","position")
);
--> statement-breakpoint
CREATE TABLE "client_group_members" (
	"company_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	"added_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "client_group_members_company_id_client_id_pk" PRIMARY KEY("company_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "client_groups" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "client_groups_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "assignment_rules" ADD CONSTRAINT "assignment_rules_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assignment_rules" ADD CONSTRAINT "assignment_rules_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_group_members" ADD CONSTRAINT "client_group_members_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_group_members" ADD CONSTRAINT "client_group_members_company_id_group_id_client_groups_company_id_id_fk" FOREIGN KEY ("company_id","group_id") REFERENCES "public"."client_groups"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_groups" ADD CONSTRAINT "client_groups_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "client_group_members_group" ON "client_group_members" USING btree ("company_id","group_id","client_id");--> statement-breakpoint
CREATE UNIQUE INDEX "client_groups_name" ON "client_groups" USING btree ("company_id",lower("name"));