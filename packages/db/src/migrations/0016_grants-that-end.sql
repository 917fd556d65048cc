ALTER TABLE "hmrc_connections" ADD COLUMN "ended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "hmrc_connections" ADD COLUMN "ended_because" text;--> statement-breakpoint
ALTER TABLE "hmrc_connections" ADD COLUMN "warned_days" integer;