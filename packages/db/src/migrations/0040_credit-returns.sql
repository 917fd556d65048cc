CREATE TABLE "credit_returns" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"credit_id" uuid NOT NULL,
	"amount_pence" bigint NOT NULL,
	"reference" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "credit_returns_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE INDEX "credit_returns_credit" ON "credit_returns" USING btree ("company_id","credit_id");