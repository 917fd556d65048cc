CREATE TABLE "complete_reads" (
	"record" text PRIMARY KEY NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
-- It used to be a row among the providers' health, although money depends on it.
INSERT INTO "complete_reads" ("record", "read_at")
SELECT 'returned_payouts', "last_success_at" FROM "provider_health"
WHERE "provider" = 'truelayer.returned_payouts' AND "last_success_at" IS NOT NULL;
--> statement-breakpoint
DELETE FROM "provider_health" WHERE "provider" = 'truelayer.returned_payouts';
