CREATE TABLE "language_model_agreements" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"host" text NOT NULL,
	"agreed_by" uuid NOT NULL,
	"agreed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "language_model_calls" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"proposal_id" uuid NOT NULL,
	"proposal_version" integer NOT NULL,
	"client_id" uuid NOT NULL,
	"asked_by" uuid NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"host" text NOT NULL,
	"model" text NOT NULL,
	"sent_text" text NOT NULL,
	"instruction_version" integer NOT NULL,
	"received_text" text,
	"state" text DEFAULT 'sent' NOT NULL,
	"problems" text[] DEFAULT '{}' NOT NULL,
	"chosen_by" uuid,
	"chosen_at" timestamp (3) with time zone,
	CONSTRAINT "language_model_calls_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "language_model_agreements" ADD CONSTRAINT "language_model_agreements_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "language_model_agreements" ADD CONSTRAINT "language_model_agreements_agreed_by_users_id_fk" FOREIGN KEY ("agreed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "language_model_calls" ADD CONSTRAINT "language_model_calls_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "language_model_calls" ADD CONSTRAINT "language_model_calls_asked_by_users_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "language_model_calls" ADD CONSTRAINT "language_model_calls_chosen_by_users_id_fk" FOREIGN KEY ("chosen_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "language_model_calls_asked" ON "language_model_calls" USING btree ("company_id","asked_at","id");--> statement-breakpoint
CREATE INDEX "language_model_calls_age" ON "language_model_calls" USING btree ("asked_at");