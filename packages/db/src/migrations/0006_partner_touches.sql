-- A sign-in under way lives an hour and carries no referral in the new form: whoever is at it begins again.
DELETE FROM "sign_in_states";--> statement-breakpoint
-- A sign-up whose link is not used yet keeps its partner, touched when the link was asked for.
UPDATE "login_links" SET "sign_up" = "sign_up" - 'partner' || jsonb_build_object('referral', jsonb_build_object(
  'partner', "sign_up"->>'partner',
  'first', jsonb_build_object('partner', "sign_up"->>'partner', 'at', to_char("created_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
  'last', jsonb_build_object('partner', "sign_up"->>'partner', 'at', to_char("created_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
)) WHERE "sign_up" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "first_partner" text;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "first_partner_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "last_partner" text;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "last_partner_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sign_in_states" ADD COLUMN "referral" jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "first_partner" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "first_partner_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "last_partner" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "last_partner_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sign_in_states" DROP COLUMN "partner";