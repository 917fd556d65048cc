CREATE TABLE "books_grants" (
	"company_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"status" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"access_expires_at" timestamp (3) with time zone,
	"refresh_lease_until" timestamp (3) with time zone,
	"refresh_holder_id" integer,
	"connected_by" uuid NOT NULL,
	"connected_at" timestamp (3) with time zone NOT NULL,
	"lost_at" timestamp (3) with time zone,
	"lost_reason" text,
	"refused_at" timestamp (3) with time zone,
	"refused_missing" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"listed_at" timestamp (3) with time zone,
	"list_problem" text,
	"waits_until" timestamp (3) with time zone,
	CONSTRAINT "books_grants_company_id_provider_pk" PRIMARY KEY("company_id","provider")
);
--> statement-breakpoint
CREATE TABLE "practice_organisations" (
	"company_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"organisation_id" text NOT NULL,
	"name" text NOT NULL,
	"connection_id" text,
	"vat_number" text,
	"company_number" text,
	"details_read_at" timestamp (3) with time zone,
	"is_unreadable" boolean DEFAULT false NOT NULL,
	"waits_until" timestamp (3) with time zone,
	"gone_at" timestamp (3) with time zone,
	"client_id" uuid,
	"linked_by" uuid,
	"linked_at" timestamp (3) with time zone,
	CONSTRAINT "practice_organisations_company_id_provider_organisation_id_pk" PRIMARY KEY("company_id","provider","organisation_id")
);
--> statement-breakpoint
ALTER TABLE "books_connections" DROP CONSTRAINT "books_connections_company_id_companies_id_fk";
--> statement-breakpoint
ALTER TABLE "books_objects" DROP CONSTRAINT "books_objects_company_id_companies_id_fk";
--> statement-breakpoint
ALTER TABLE "books_rate_answers" DROP CONSTRAINT "books_rate_answers_company_id_companies_id_fk";
--> statement-breakpoint
ALTER TABLE "books_reads" DROP CONSTRAINT "books_reads_company_id_companies_id_fk";
--> statement-breakpoint
ALTER TABLE "books_vat_figures" DROP CONSTRAINT "books_vat_figures_company_id_companies_id_fk";
--> statement-breakpoint
ALTER TABLE "books_connection_states" ADD COLUMN "client_id" uuid;--> statement-breakpoint
ALTER TABLE "books_connections" ADD COLUMN "practice_id" uuid;--> statement-breakpoint
ALTER TABLE "books_connections" ADD COLUMN "is_by_grant" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "books_connections" ADD COLUMN "confirmed_vat_number" text;--> statement-breakpoint
ALTER TABLE "books_reads" ADD COLUMN "practice_id" uuid;--> statement-breakpoint
ALTER TABLE "books_files" ADD COLUMN "organisation_id" text;--> statement-breakpoint
ALTER TABLE "books_files" ADD COLUMN "withdrawn_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "books_grants" ADD CONSTRAINT "books_grants_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "books_grants" ADD CONSTRAINT "books_grants_connected_by_users_id_fk" FOREIGN KEY ("connected_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_organisations" ADD CONSTRAINT "practice_organisations_linked_by_users_id_fk" FOREIGN KEY ("linked_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_organisations" ADD CONSTRAINT "practice_organisations_company_id_provider_books_grants_company_id_provider_fk" FOREIGN KEY ("company_id","provider") REFERENCES "public"."books_grants"("company_id","provider") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_organisations" ADD CONSTRAINT "practice_organisations_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "practice_organisations_client" ON "practice_organisations" USING btree ("company_id","client_id") WHERE client_id is not null;--> statement-breakpoint
-- What is read from a client's bookkeeping program goes with the client too.
CREATE OR REPLACE FUNCTION delete_client_returns() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  item text;
BEGIN
  FOREACH item IN ARRAY ARRAY['books_columns', 'books_connections', 'books_drafts', 'books_files', 'books_objects', 'books_rate_answers',
    'books_reads', 'books_rows', 'books_uploads', 'books_vat_figures', 'filings', 'hmrc_returns', 'obligations', 'period_figures', 'return_adjustments',
    'return_corrections']
  LOOP
    EXECUTE format('DELETE FROM %I WHERE company_id IN (SELECT id FROM deleted_clients)', item);
  END LOOP;
  RETURN NULL;
END $$;
