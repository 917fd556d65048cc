ALTER TABLE "payouts" ADD COLUMN "unknown_attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "unknown_at" timestamp (3) with time zone;