ALTER TABLE "client_rows" ADD COLUMN "read_taxes" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "client_rows" ADD COLUMN "stale_on" date;--> statement-breakpoint
ALTER TABLE "client_rows" ADD COLUMN "refresh_failed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "client_rows" ADD COLUMN "unread_taxes" text[] GENERATED ALWAYS AS (array_remove(array[case when has_vat and 'vat' <> all(read_taxes) then 'vat' end, case when has_paye and 'paye' <> all(read_taxes) then 'paye' end, case when has_ct and 'ct' <> all(read_taxes) then 'ct' end, case when has_sa and 'sa' <> all(read_taxes) then 'sa' end], null)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "client_rows" ADD COLUMN "figures" text GENERATED ALWAYS AS (case when not (has_vat or has_paye or has_ct or has_sa) then 'no_taxes' when not (has_vat and 'vat' = any(read_taxes) or has_paye and 'paye' = any(read_taxes) or has_ct and 'ct' = any(read_taxes) or has_sa and 'sa' = any(read_taxes)) then 'unread'
  when (has_vat and 'vat' <> all(read_taxes) or has_paye and 'paye' <> all(read_taxes) or has_ct and 'ct' <> all(read_taxes) or has_sa and 'sa' <> all(read_taxes)) then 'partial' else 'read' end) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "client_rows" ADD COLUMN "vat_due_on" date DEFAULT '9999-12-31' NOT NULL;--> statement-breakpoint
ALTER TABLE "client_rows" ADD COLUMN "paye_due_on" date DEFAULT '9999-12-31' NOT NULL;--> statement-breakpoint
ALTER TABLE "client_rows" ADD COLUMN "ct_due_on" date DEFAULT '9999-12-31' NOT NULL;--> statement-breakpoint
ALTER TABLE "client_rows" ADD COLUMN "sa_due_on" date DEFAULT '9999-12-31' NOT NULL;--> statement-breakpoint
ALTER TABLE "tax_positions" ADD COLUMN "stale_on" date;--> statement-breakpoint
ALTER TABLE "tax_positions" ADD COLUMN "refresh_failed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "client_rows_vat_due" ON "client_rows" USING btree ("company_id","vat_due_on","client_id");--> statement-breakpoint
CREATE INDEX "client_rows_paye_due" ON "client_rows" USING btree ("company_id","paye_due_on","client_id");--> statement-breakpoint
CREATE INDEX "client_rows_ct_due" ON "client_rows" USING btree ("company_id","ct_due_on","client_id");--> statement-breakpoint
CREATE INDEX "client_rows_sa_due" ON "client_rows" USING btree ("company_id","sa_due_on","client_id");--> statement-breakpoint
-- The stored totals have other fields from now on. Each is counted again when it is next read.
DELETE FROM "practice_totals";
