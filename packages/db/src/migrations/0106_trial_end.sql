ALTER TABLE "practices" ADD COLUMN "trial_ends_on" date;--> statement-breakpoint
ALTER TABLE "practices" ADD COLUMN "trial_noticed_at" timestamp (3) with time zone;