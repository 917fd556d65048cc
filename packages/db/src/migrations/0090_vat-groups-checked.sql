-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "clients_vat_group";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "clients_vat_group" ON "clients" USING btree ("company_id","vat_group_vrn") WHERE vat_group_vrn is not null;--> statement-breakpoint
ALTER TABLE "clients" VALIDATE CONSTRAINT "clients_vat_group_once";
