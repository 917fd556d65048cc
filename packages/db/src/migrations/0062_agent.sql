CREATE TABLE "agent_exclusions" (
	"company_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"rule_id" text NOT NULL,
	"excluded_by" uuid NOT NULL,
	"excluded_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "agent_exclusions_company_id_client_id_rule_id_pk" PRIMARY KEY("company_id","client_id","rule_id")
);
--> statement-breakpoint
CREATE TABLE "agent_proposals" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"rule_id" text NOT NULL,
	"rule_version" integer NOT NULL,
	"subject" text NOT NULL,
	"tax" text,
	"title" text NOT NULL,
	"facts" jsonb NOT NULL,
	"rule_act" jsonb NOT NULL,
	"act" jsonb NOT NULL,
	"wording" text DEFAULT 'rule' NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"due_on" date NOT NULL,
	"noticed_at" timestamp (3) with time zone NOT NULL,
	"drafted_on" date,
	"snoozed_until" date,
	"proposed_by" uuid,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"is_by_agent" boolean DEFAULT false NOT NULL,
	"acting_at" timestamp (3) with time zone,
	"lesson" text,
	"reason" text,
	"result" jsonb,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "agent_proposals_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "agent_rules" (
	"company_id" uuid NOT NULL,
	"rule_id" text NOT NULL,
	"is_on" boolean NOT NULL,
	"threshold" integer,
	"off_taxes" text[] NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "agent_rules_company_id_rule_id_pk" PRIMARY KEY("company_id","rule_id")
);
--> statement-breakpoint
CREATE TABLE "agent_settings" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"mode" text NOT NULL,
	"paused_at" timestamp (3) with time zone,
	"paused_by" uuid,
	"enabled_by" uuid,
	"enabled_at" timestamp (3) with time zone,
	"drafts_per_day" integer NOT NULL,
	"acts_per_day" integer NOT NULL,
	"sequence" integer DEFAULT 0 NOT NULL,
	"swept_at" timestamp (3) with time zone,
	"swept_on" date
);
--> statement-breakpoint
ALTER TABLE "agent_exclusions" ADD CONSTRAINT "agent_exclusions_excluded_by_users_id_fk" FOREIGN KEY ("excluded_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_exclusions" ADD CONSTRAINT "agent_exclusions_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_proposals" ADD CONSTRAINT "agent_proposals_proposed_by_users_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_proposals" ADD CONSTRAINT "agent_proposals_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_proposals" ADD CONSTRAINT "agent_proposals_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_rules" ADD CONSTRAINT "agent_rules_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_settings" ADD CONSTRAINT "agent_settings_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_settings" ADD CONSTRAINT "agent_settings_paused_by_users_id_fk" FOREIGN KEY ("paused_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_settings" ADD CONSTRAINT "agent_settings_enabled_by_users_id_fk" FOREIGN KEY ("enabled_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "agent_proposals_subject" ON "agent_proposals" USING btree ("company_id","client_id","rule_id","subject");--> statement-breakpoint
CREATE INDEX "agent_proposals_open" ON "agent_proposals" USING btree ("company_id","due_on","id") WHERE state in ('open', 'acting');--> statement-breakpoint
CREATE INDEX "agent_proposals_decided" ON "agent_proposals" USING btree ("company_id","decided_at","id");