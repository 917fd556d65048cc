-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "client_invitations_newest";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "client_invitations_newest" ON "client_invitations" USING btree ("company_id","invited_at","id");
