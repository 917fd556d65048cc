-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "client_turnovers_months";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "client_turnovers_months" ON "client_turnovers" USING btree ("company_id","client_id","end_on","books_origin") WHERE source = 'books';--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "client_turnovers_books";--> statement-breakpoint
-- The books from which a turnover was computed: the newest of those that became current before.
UPDATE client_turnovers t
  SET books_origin = (
    SELECT CASE WHEN f.source IS NULL THEN 'file' ELSE concat_ws(' ', f.source, f.organisation_id) END
    FROM books_files f
    WHERE f.company_id = t.client_id AND f.applied_at <= t.known_at AND f.withdrawn_at IS NULL AND f.vat_number IS NOT DISTINCT FROM t.vat_number
    ORDER BY f.applied_at DESC
    LIMIT 1
  )
  WHERE t.source = 'books' AND t.books_origin IS NULL;--> statement-breakpoint
-- As in apps/server/src/features/clients/is-vat-registered.ts.
UPDATE client_turnovers t
  SET was_registered = t.vat_number IS NOT NULL OR EXISTS (
    SELECT FROM clients c
    WHERE c.company_id = t.company_id AND c.id = t.client_id AND (c.has_vat OR c.vrn IS NOT NULL OR c.vat_registered_on IS NOT NULL)
  )
  WHERE t.was_registered IS NULL;
