ALTER TABLE "client_emails" ADD COLUMN "sealed" text;--> statement-breakpoint
ALTER TABLE "client_emails" ADD COLUMN "needed_for" text;--> statement-breakpoint
ALTER TABLE "client_emails" ADD COLUMN "needed_for_id" uuid;--> statement-breakpoint
ALTER TABLE "client_emails" ADD COLUMN "needed_until" date;--> statement-breakpoint
ALTER TABLE "client_emails" ADD COLUMN "route" text;--> statement-breakpoint
ALTER TABLE "client_emails" ADD COLUMN "sent_from" text;--> statement-breakpoint
ALTER TABLE "client_emails" ADD COLUMN "attempt_id" uuid;--> statement-breakpoint
ALTER TABLE "client_emails" ADD COLUMN "attempted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "client_emails" ADD COLUMN "not_before" timestamp (3) with time zone;