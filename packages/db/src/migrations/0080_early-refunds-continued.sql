-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "advance_proposals_client";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "advance_proposals_client" ON "advance_proposals" USING btree ("company_id","client_id","proposed_at");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "advance_proposals_followed";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "advance_proposals_followed" ON "advance_proposals" USING btree ("started_at") WHERE ended_as is null and notified_stage is distinct from 'settled';--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "undeliverable_addresses_newest";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "undeliverable_addresses_newest" ON "undeliverable_addresses" USING btree ("company_id","reported_at" DESC,"email");--> statement-breakpoint
-- `mend` is now `how_to_fix`. Portals of the previous version still read and write `mend` (schema/evaluated-rules.ts); a later version drops it.
UPDATE advances SET rules = (
    SELECT jsonb_agg(r || jsonb_build_object('how_to_fix', coalesce(r -> 'how_to_fix', r -> 'mend', '""'::jsonb)) ORDER BY n)
    FROM jsonb_array_elements(rules) WITH ORDINALITY AS e(r, n)
  )
  WHERE EXISTS (SELECT FROM jsonb_array_elements(rules) AS r WHERE NOT jsonb_exists(r, 'how_to_fix'));--> statement-breakpoint
-- The stored answers to calls that may be repeated have both names too.
UPDATE idempotency_keys
  SET response_body = regexp_replace(response_body, '"mend":("(?:[^"\\]|\\.)*")', '"mend":\1,"how_to_fix":\1', 'g')
  WHERE response_body LIKE '%"mend":%' AND response_body NOT LIKE '%"how_to_fix":%';
