-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "suspicions_entry_once";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "suspicions_entry_once" ON "suspicions" USING btree ("company_id","subject_kind","subject_name","listed_id","entry_version");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "suspicions_once";
