CREATE TABLE "screenings" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"screened_at" timestamp (3) with time zone NOT NULL,
	"subjects" jsonb NOT NULL,
	CONSTRAINT "screenings_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "suspicions" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"screening_id" uuid NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_name" text NOT NULL,
	"listed_id" text NOT NULL,
	"caption" text NOT NULL,
	"topics" jsonb NOT NULL,
	"datasets" jsonb NOT NULL,
	"score" real NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	"decision" text,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"reason" text,
	CONSTRAINT "suspicions_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "advances" ADD COLUMN "facts_read_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "advances" ADD COLUMN "facts_requested_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "name_check" jsonb;--> statement-breakpoint
ALTER TABLE "identity_checks" ADD COLUMN "verified_by" uuid;--> statement-breakpoint
ALTER TABLE "identity_checks" ADD COLUMN "evidence" text;--> statement-breakpoint
CREATE INDEX "screenings_time" ON "screenings" USING btree ("company_id","screened_at");--> statement-breakpoint
CREATE UNIQUE INDEX "suspicions_once" ON "suspicions" USING btree ("company_id","subject_kind","subject_name","listed_id");