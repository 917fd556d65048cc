CREATE TABLE "books_columns" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"remembered" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "books_uploads" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	"table" jsonb NOT NULL,
	"waits_for" text NOT NULL,
	"uploaded_by" uuid NOT NULL,
	"uploaded_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "return_adjustments" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"obligation_id" uuid NOT NULL,
	"box" integer NOT NULL,
	"amount_pence" bigint NOT NULL,
	"kind" text NOT NULL,
	"reason" text NOT NULL,
	"made_by" uuid NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	"removed_by" uuid,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "return_adjustments_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "return_corrections" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"source_obligation_id" uuid NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"filed_row" jsonb,
	"row" jsonb,
	"due_pence" bigint NOT NULL,
	"route" text NOT NULL,
	"obligation_id" uuid NOT NULL,
	"note" text NOT NULL,
	"decided_by" uuid NOT NULL,
	"decided_at" timestamp (3) with time zone NOT NULL,
	"undone_by" uuid,
	"undone_at" timestamp (3) with time zone,
	CONSTRAINT "return_corrections_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "filings" ADD COLUMN "adjustments" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "return_adjustments_live" ON "return_adjustments" USING btree ("company_id","obligation_id") WHERE removed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "return_adjustments_one_correction" ON "return_adjustments" USING btree ("company_id","obligation_id") WHERE kind = 'error_correction' and removed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "return_corrections_once" ON "return_corrections" USING btree ("company_id","source_obligation_id","key") WHERE undone_at is null;--> statement-breakpoint
CREATE INDEX "return_corrections_return" ON "return_corrections" USING btree ("company_id","obligation_id");