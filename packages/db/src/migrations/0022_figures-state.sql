ALTER TABLE "client_rows" ADD COLUMN "read_taxes" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "client_rows" ADD COLUMN "stale_on" date;--> statement-breakpoint
ALTER TABLE "client_rows" ADD COLUMN "refresh_failed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tax_positions" ADD COLUMN "stale_on" date;--> statement-breakpoint
ALTER TABLE "tax_positions" ADD COLUMN "refresh_failed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- The stored totals have other fields from now on. Each is counted again when it is next read.
DELETE FROM "practice_totals";
