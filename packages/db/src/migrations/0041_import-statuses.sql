ALTER TABLE "client_import_rows" ADD COLUMN "client_status" text;--> statement-breakpoint
ALTER TABLE "client_imports" ADD COLUMN "status_choices" jsonb DEFAULT '{"prospects":"leave_out","existing":"keep"}'::jsonb NOT NULL;--> statement-breakpoint
-- A status column used to be left out of every import without a question, and that was remembered as if it had been chosen.
UPDATE "practices" SET "import_columns" = (
  SELECT coalesce(jsonb_object_agg(key, value), '{}'::jsonb) FROM jsonb_each("import_columns")
  WHERE NOT (value = 'null'::jsonb AND key IN ('status', 'clientstatus', 'accountstatus', 'clientstate'))
) WHERE "import_columns" ?| array['status', 'clientstatus', 'accountstatus', 'clientstate'];
--> statement-breakpoint
-- The stored counts called clients "not authorised" that HMRC had never been asked about. They are counted again when they are read.
DELETE FROM "practice_attention";
