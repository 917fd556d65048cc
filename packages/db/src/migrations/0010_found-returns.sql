CREATE TABLE "found_returns" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"obligation_id" uuid NOT NULL,
	"vrn" text NOT NULL,
	"received_on" date NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	"boxes" jsonb NOT NULL,
	CONSTRAINT "found_returns_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "advances" ALTER COLUMN "filing_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "advances" ADD COLUMN "period_start" date;--> statement-breakpoint
ALTER TABLE "advances" ADD COLUMN "period_end" date;--> statement-breakpoint
-- Every advance until now stands on an obligation of its company: its period is the one HMRC listed.
UPDATE "advances" SET "period_start" = o."period_start", "period_end" = o."period_end" FROM "obligations" o WHERE o."company_id" = "advances"."company_id" AND o."id" = "advances"."obligation_id";--> statement-breakpoint
ALTER TABLE "advances" ALTER COLUMN "period_start" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "advances" ALTER COLUMN "period_end" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "advances" ADD COLUMN "found_return_id" uuid;--> statement-breakpoint
ALTER TABLE "advances" ADD COLUMN "found_on" date;--> statement-breakpoint
ALTER TABLE "advances" ADD COLUMN "payout_hold" text;--> statement-breakpoint
CREATE INDEX "found_returns_obligation" ON "found_returns" USING btree ("company_id","obligation_id","read_at");--> statement-breakpoint
CREATE UNIQUE INDEX "advances_one_per_period" ON "advances" USING btree ("company_id","period_start","period_end") WHERE "advances"."state" not in ('expired', 'withdrawn', 'declined');--> statement-breakpoint
ALTER TABLE "advances" ADD CONSTRAINT "advances_one_basis" CHECK (num_nonnulls("advances"."filing_id", "advances"."found_return_id") = 1);--> statement-breakpoint
-- What HMRC showed is evidence: refuse_change is the ledger's own (0001).
CREATE TRIGGER found_returns_append_only BEFORE UPDATE OR DELETE ON found_returns FOR EACH ROW EXECUTE FUNCTION refuse_change();
