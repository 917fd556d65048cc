CREATE TABLE "matter_notes" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"subject_id" uuid NOT NULL,
	"text" text NOT NULL,
	"by" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "matter_notes_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "bank_credits" ADD COLUMN "returned_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "bank_credits" ADD COLUMN "return_reference" text;--> statement-breakpoint
CREATE INDEX "matter_notes_subject" ON "matter_notes" USING btree ("company_id","subject_id");