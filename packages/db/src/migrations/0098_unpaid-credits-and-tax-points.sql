-- Two operators may also credit an unpaid invoice that is wrong: a reduction, for which no money moves.
ALTER TABLE "invoice_refunds" ADD COLUMN "kind" text DEFAULT 'refund' NOT NULL;--> statement-breakpoint
-- When the provider began a subscription: its renewals are counted from then, in UTC.
ALTER TABLE "subscriptions" ADD COLUMN "started_at" timestamp (3) with time zone;--> statement-breakpoint
-- An invoice that was paid before it was issued has an earlier tax point (VAT Regulations 1995, regulation 90).
ALTER TABLE "vat_invoices" ADD COLUMN "tax_point" date;
