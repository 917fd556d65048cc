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
CREATE INDEX "language_model_calls_age" ON "language_model_calls" USING btree ("asked_at");--> statement-breakpoint
-- What left, for whom and when stays as it was recorded; what came back and what was chosen are written once.
CREATE FUNCTION refuse_changed_language_model_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.company_id, OLD.id, OLD.proposal_id, OLD.proposal_version, OLD.client_id, OLD.asked_by, OLD.asked_at, OLD.host, OLD.sent_text, OLD.instruction_version)
      IS DISTINCT FROM (NEW.company_id, NEW.id, NEW.proposal_id, NEW.proposal_version, NEW.client_id, NEW.asked_by, NEW.asked_at, NEW.host, NEW.sent_text, NEW.instruction_version)
    OR (OLD.state <> 'sent' AND (OLD.received_text, OLD.problems, OLD.model) IS DISTINCT FROM (NEW.received_text, NEW.problems, NEW.model))
    OR (OLD.state NOT IN ('sent', 'offered') AND to_jsonb(NEW) IS DISTINCT FROM to_jsonb(OLD)) THEN
    RAISE EXCEPTION 'language_model_calls: % refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER language_model_calls_frozen BEFORE UPDATE ON language_model_calls FOR EACH ROW EXECUTE FUNCTION refuse_changed_language_model_call();
