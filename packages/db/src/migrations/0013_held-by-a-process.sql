ALTER TABLE "client_syncs" ADD COLUMN "held_by" integer;--> statement-breakpoint
ALTER TABLE "hmrc_connections" ADD COLUMN "refresh_held_by" integer;