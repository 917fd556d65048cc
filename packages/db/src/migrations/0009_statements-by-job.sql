CREATE TABLE "tax_statement_clients" (
	"company_id" uuid NOT NULL,
	"statement_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"outcome" text NOT NULL,
	CONSTRAINT "tax_statement_clients_company_id_statement_id_client_id_pk" PRIMARY KEY("company_id","statement_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "tax_statement_rows" (
	"company_id" uuid NOT NULL,
	"statement_id" uuid NOT NULL,
	"row" integer NOT NULL,
	"client_id" uuid,
	"said" jsonb,
	"field" text,
	"problem" text,
	CONSTRAINT "tax_statement_rows_company_id_statement_id_row_pk" PRIMARY KEY("company_id","statement_id","row")
);
--> statement-breakpoint
ALTER TABLE "client_imports" ADD COLUMN "rows_removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "client_imports" ADD COLUMN "row_counts" jsonb;--> statement-breakpoint
ALTER TABLE "tax_positions" ADD COLUMN "rules_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tax_statements" ADD COLUMN "state" text DEFAULT 'completed' NOT NULL;--> statement-breakpoint
ALTER TABLE "tax_statements" ADD COLUMN "rows_done" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tax_statements" ADD COLUMN "rows_refused" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tax_statements" ADD COLUMN "clients" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tax_statements" ADD COLUMN "clients_taken" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tax_statements" ADD COLUMN "reading_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tax_statements" ADD COLUMN "ended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tax_statements" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "tax_statements" ADD COLUMN "rows_removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tax_statement_clients" ADD CONSTRAINT "tax_statement_clients_company_id_statement_id_tax_statements_company_id_id_fk" FOREIGN KEY ("company_id","statement_id") REFERENCES "public"."tax_statements"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tax_statement_rows" ADD CONSTRAINT "tax_statement_rows_company_id_statement_id_tax_statements_company_id_id_fk" FOREIGN KEY ("company_id","statement_id") REFERENCES "public"."tax_statements"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tax_statement_rows_client" ON "tax_statement_rows" USING btree ("company_id","statement_id","client_id");--> statement-breakpoint
CREATE INDEX "tax_statement_rows_refused" ON "tax_statement_rows" USING btree ("company_id","statement_id","row") WHERE problem is not null;--> statement-breakpoint
CREATE INDEX "audit_entries_subject" ON "audit_entries" USING btree ("company_id","subject","sequence");--> statement-breakpoint
CREATE INDEX "audit_entries_clients" ON "audit_entries" USING gin (("after" -> 'client_ids') jsonb_path_ops) WHERE "audit_entries"."after" -> 'client_ids' is not null;--> statement-breakpoint
CREATE INDEX "tax_positions_rules" ON "tax_positions" USING btree ("company_id","rules_version");--> statement-breakpoint
CREATE UNIQUE INDEX "tax_statements_live" ON "tax_statements" USING btree ("company_id","tax") WHERE state = 'importing';--> statement-breakpoint
-- Statements of before were taken in whole: each row was either taken or is in the list of the refused.
UPDATE "tax_statements" s SET "rows_done" = "rows", "rows_refused" = jsonb_array_length("refused"), "ended_at" = "imported_at",
	"clients" = t.clients, "clients_taken" = t.clients
FROM (
	SELECT s2."company_id", s2."id", count(DISTINCT o."client_id")::int AS clients FROM "tax_statements" s2
	LEFT JOIN "client_observations" o ON o."company_id" = s2."company_id" AND o."statement_id" = s2."id" GROUP BY 1, 2
) t WHERE t."company_id" = s."company_id" AND t."id" = s."id";--> statement-breakpoint
INSERT INTO "tax_statement_rows" ("company_id", "statement_id", "row", "field", "problem")
SELECT s."company_id", s."id", r."row", r."field", r."problem" FROM "tax_statements" s
CROSS JOIN LATERAL jsonb_to_recordset(s."refused") AS r("row" int, "field" text, "problem" text)
ON CONFLICT DO NOTHING;--> statement-breakpoint
ALTER TABLE "tax_statements" DROP COLUMN "refused";
