CREATE TABLE "totals_marks" (
	"company_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"marked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "totals_marks_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
-- What was counted has no viewer; it is counted anew when somebody looks.
DELETE FROM "practice_totals";--> statement-breakpoint
ALTER TABLE "practice_totals" DROP CONSTRAINT "practice_totals_pkey";--> statement-breakpoint
ALTER TABLE "practice_totals" ADD COLUMN "viewer_id" uuid NOT NULL;--> statement-breakpoint
ALTER TABLE "practice_totals" ADD COLUMN "assigned" text NOT NULL;--> statement-breakpoint
ALTER TABLE "practice_totals" ADD COLUMN "took_ms" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "practice_totals" ADD COLUMN "overall" jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "practice_totals" ADD CONSTRAINT "practice_totals_company_id_viewer_id_pk" PRIMARY KEY("company_id","viewer_id");
