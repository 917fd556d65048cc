CREATE TABLE "client_import_files" (
	"company_id" uuid NOT NULL,
	"import_id" uuid NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "client_import_files_company_id_import_id_pk" PRIMARY KEY("company_id","import_id")
);
--> statement-breakpoint
ALTER TABLE "client_import_rows" ADD COLUMN "matched_by" jsonb;--> statement-breakpoint
ALTER TABLE "client_imports" ADD COLUMN "table" jsonb;--> statement-breakpoint
ALTER TABLE "client_imports" ADD COLUMN "fraud_headers" text;--> statement-breakpoint
ALTER TABLE "practices" ADD COLUMN "import_columns" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "client_import_files" ADD CONSTRAINT "client_import_files_company_id_import_id_client_imports_company_id_id_fk" FOREIGN KEY ("company_id","import_id") REFERENCES "public"."client_imports"("company_id","id") ON DELETE cascade ON UPDATE no action;