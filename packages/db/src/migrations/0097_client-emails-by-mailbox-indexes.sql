-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "client_emails_open";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "client_emails_open" ON "client_emails" USING btree ("company_id","created_at","id") WHERE sealed is not null and status in ('queued', 'sending');--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "client_emails_attempted";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "client_emails_attempted" ON "client_emails" USING btree ("company_id","attempted_at") WHERE "attempted_at" is not null;