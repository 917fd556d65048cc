CREATE TABLE "journal_accounts" (
	"company_id" uuid NOT NULL,
	"software" text NOT NULL,
	"accounts" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "journal_accounts_company_id_software_pk" PRIMARY KEY("company_id","software")
);
