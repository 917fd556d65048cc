CREATE TABLE "waiting_books_grants" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"provider" text NOT NULL,
	"access_token" text NOT NULL,
	"refresh_token" text NOT NULL,
	"access_expires_at" timestamp (3) with time zone NOT NULL,
	"organisations" jsonb NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "waiting_books_grants_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "books_vat_figures" (
	"company_id" uuid NOT NULL,
	"period_start" date NOT NULL,
	"period_end" date NOT NULL,
	"vat_pence" bigint,
	"paid_pence" bigint,
	"other_basis_pence" bigint,
	"problem" text,
	"read_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "books_vat_figures_company_id_period_start_period_end_pk" PRIMARY KEY("company_id","period_start","period_end")
);
--> statement-breakpoint
ALTER TABLE "sign_in_states" ADD COLUMN "books_program" text;--> statement-breakpoint
ALTER TABLE "books_vat_figures" ADD CONSTRAINT "books_vat_figures_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;