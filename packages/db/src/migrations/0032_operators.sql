CREATE TABLE "operators" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"roles" jsonb NOT NULL,
	"private_email" text,
	"invited_by" uuid,
	"invited_at" timestamp (3) with time zone NOT NULL,
	"enrolled_at" timestamp (3) with time zone,
	"disabled_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "payout_releases" ADD COLUMN "amount_pence" bigint;--> statement-breakpoint
ALTER TABLE "payout_releases" ADD COLUMN "quote_version" integer;--> statement-breakpoint
ALTER TABLE "payout_releases" ADD COLUMN "bank_account_id" uuid;--> statement-breakpoint
UPDATE "payout_releases" r SET "amount_pence" = a."net_pence", "quote_version" = a."version", "bank_account_id" = (SELECT b."id" FROM "bank_accounts" b WHERE b."company_id" = r."company_id" AND b."created_at" <= r."released_at" ORDER BY b."created_at" DESC LIMIT 1) FROM "advances" a WHERE a."company_id" = r."company_id" AND a."id" = r."advance_id";--> statement-breakpoint
DELETE FROM "payout_releases" WHERE "amount_pence" IS NULL OR "quote_version" IS NULL OR "bank_account_id" IS NULL;--> statement-breakpoint
ALTER TABLE "payout_releases" ALTER COLUMN "amount_pence" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payout_releases" ALTER COLUMN "quote_version" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payout_releases" ALTER COLUMN "bank_account_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "factor_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "view_as" uuid;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "view_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "operators" ADD CONSTRAINT "operators_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operators" ADD CONSTRAINT "operators_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_view_as_users_id_fk" FOREIGN KEY ("view_as") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
INSERT INTO "operators" ("user_id", "roles", "invited_at", "enrolled_at") SELECT u."id", '["administrator","underwriter","releaser","finance","mlro"]'::jsonb, u."created_at", CASE WHEN EXISTS (SELECT 1 FROM "passkeys" k WHERE k."user_id" = u."id") OR EXISTS (SELECT 1 FROM "authenticators" t WHERE t."user_id" = u."id" AND t."confirmed_at" IS NOT NULL) THEN now() END FROM "users" u WHERE u."is_operator";--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "is_operator";