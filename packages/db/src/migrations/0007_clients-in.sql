ALTER TABLE "client_import_rows" ADD COLUMN "candidates" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "client_import_rows" ADD COLUMN "choice" text;--> statement-breakpoint
ALTER TABLE "client_import_rows" ADD COLUMN "undone" text;--> statement-breakpoint
ALTER TABLE "client_imports" ADD COLUMN "ignored_columns" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "register_status" text;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "register_read_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "clients_register_unread" ON "clients" USING btree ("company_id","id") WHERE company_number is not null and register_read_at is null;