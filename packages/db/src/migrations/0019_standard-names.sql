-- Renames only, so that tables and columns use the words of the code. Stored values follow at the end.
ALTER TABLE "matter_notes" RENAME TO "reconciliation_notes";--> statement-breakpoint
ALTER TABLE "reconciliation_notes" RENAME CONSTRAINT "matter_notes_company_id_id_pk" TO "reconciliation_notes_company_id_id_pk";--> statement-breakpoint
ALTER INDEX "matter_notes_subject" RENAME TO "reconciliation_notes_subject";--> statement-breakpoint
ALTER TABLE "advance_moves" RENAME TO "advance_transitions";--> statement-breakpoint
ALTER TABLE "advance_transitions" RENAME CONSTRAINT "advance_moves_company_id_advance_id_sequence_pk" TO "advance_transitions_company_id_advance_id_sequence_pk";--> statement-breakpoint
ALTER TABLE "provider_pace" RENAME TO "provider_rate_limits";--> statement-breakpoint
ALTER TABLE "provider_rate_limits" RENAME CONSTRAINT "provider_pace_pkey" TO "provider_rate_limits_pkey";--> statement-breakpoint
ALTER TABLE "totals_marks" RENAME TO "stale_totals";--> statement-breakpoint
ALTER TABLE "stale_totals" RENAME CONSTRAINT "totals_marks_company_id_id_pk" TO "stale_totals_company_id_id_pk";--> statement-breakpoint
ALTER TABLE "consent_states" RENAME TO "authorisation_states";--> statement-breakpoint
ALTER TABLE "authorisation_states" RENAME CONSTRAINT "consent_states_pkey" TO "authorisation_states_pkey";--> statement-breakpoint
ALTER TABLE "client_changes" RENAME COLUMN "put_back" TO "reverted_count";--> statement-breakpoint
ALTER TABLE "client_import_rows" RENAME COLUMN "said" TO "raw_values";--> statement-breakpoint
ALTER TABLE "client_syncs" RENAME COLUMN "held_by" TO "holder_id";--> statement-breakpoint
ALTER TABLE "filings" RENAME COLUMN "call_ends_by" TO "call_deadline_at";--> statement-breakpoint
ALTER TABLE "hmrc_connections" RENAME COLUMN "ended_because" TO "end_reason";--> statement-breakpoint
ALTER TABLE "hmrc_connections" RENAME COLUMN "refresh_held_by" TO "refresh_holder_id";--> statement-breakpoint
ALTER TABLE "idempotency_keys" RENAME COLUMN "held_by" TO "holder_id";--> statement-breakpoint
ALTER TABLE "practice_totals" RENAME COLUMN "took_ms" TO "duration_ms";--> statement-breakpoint
ALTER TABLE "tax_statement_rows" RENAME COLUMN "said" TO "parsed_row";--> statement-breakpoint
ALTER INDEX "tax_statement_rows_refused" RENAME TO "tax_statement_rows_rejected";--> statement-breakpoint
ALTER TABLE "tax_statements" RENAME COLUMN "clients_taken" TO "clients_imported";--> statement-breakpoint
ALTER TABLE "tax_statements" RENAME COLUMN "rows_refused" TO "rows_rejected";--> statement-breakpoint
UPDATE "practice_totals" SET "overall" = ("overall" - 'in_hand') || jsonb_build_object('active', "overall" -> 'in_hand') WHERE "overall" ? 'in_hand';--> statement-breakpoint
UPDATE "tax_statement_clients" SET "outcome" = 'skipped' WHERE "outcome" = 'passed_over';
