CREATE TABLE "advance_assignments" (
	"company_id" uuid NOT NULL,
	"advance_id" uuid NOT NULL,
	"operator_id" uuid NOT NULL,
	"assigned_by" uuid NOT NULL,
	"assigned_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "advance_assignments_company_id_advance_id_pk" PRIMARY KEY("company_id","advance_id")
);
--> statement-breakpoint
CREATE TABLE "contact_entries" (
	"message_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"by" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contact_entries_message_id_id_pk" PRIMARY KEY("message_id","id")
);
--> statement-breakpoint
CREATE TABLE "contact_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"reference" text NOT NULL,
	"user_id" uuid,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"topic" text NOT NULL,
	"message" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"assigned_to" uuid,
	"answered_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "desk_views" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"is_shared" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "desk_views_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "exposure_limits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid,
	"limit_pence" bigint NOT NULL,
	"reason" text NOT NULL,
	"requested_by" uuid NOT NULL,
	"decided_by" uuid NOT NULL,
	"set_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_health" (
	"provider" text PRIMARY KEY NOT NULL,
	"last_success_at" timestamp (3) with time zone,
	"last_failure_at" timestamp (3) with time zone,
	"last_failure" text,
	"failures_in_a_row" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "advances" ADD COLUMN "filed_on" date;--> statement-breakpoint
ALTER TABLE "advances" ADD COLUMN "needs_review" boolean GENERATED ALWAYS AS (jsonb_path_exists(rules, '$[*] ? (@.outcome == "review" || @.outcome == "not_judged")')) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "advance_assignments" ADD CONSTRAINT "advance_assignments_operator_id_users_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_entries" ADD CONSTRAINT "contact_entries_message_id_contact_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."contact_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_assigned_to_users_id_fk" FOREIGN KEY ("assigned_to") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_views" ADD CONSTRAINT "desk_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "advance_assignments_operator" ON "advance_assignments" USING btree ("operator_id","advance_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contact_messages_reference" ON "contact_messages" USING btree ("reference");--> statement-breakpoint
CREATE INDEX "contact_messages_state" ON "contact_messages" USING btree ("state","received_at");--> statement-breakpoint
CREATE INDEX "exposure_limits_scope" ON "exposure_limits" USING btree ("company_id","set_at");--> statement-breakpoint
CREATE INDEX "advances_accepted" ON "advances" USING btree ("accepted_at");--> statement-breakpoint
CREATE INDEX "audit_entries_at" ON "audit_entries" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_entries_actor" ON "audit_entries" USING btree ("actor","at");--> statement-breakpoint
CREATE INDEX "audit_entries_action" ON "audit_entries" USING btree ("action","at");--> statement-breakpoint
-- The day HMRC received the return, as it was derived until now.
UPDATE "advances" SET "filed_on" = coalesce("found_on", (SELECT ("filings"."sent_at" AT TIME ZONE 'Europe/London')::date FROM "filings" WHERE "filings"."company_id" = "advances"."company_id" AND "filings"."id" = "advances"."filing_id"));
