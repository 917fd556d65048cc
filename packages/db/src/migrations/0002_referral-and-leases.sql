ALTER TABLE "users" ADD COLUMN "partner" text DEFAULT 'organic' NOT NULL;--> statement-breakpoint
ALTER TABLE "filings" ADD COLUMN "instance_id" text NOT NULL;--> statement-breakpoint
ALTER TABLE "filings" ADD COLUMN "call_ends_by" timestamp (3) with time zone NOT NULL;--> statement-breakpoint
ALTER TABLE "hmrc_connections" ADD COLUMN "refresh_lease_until" timestamp (3) with time zone;