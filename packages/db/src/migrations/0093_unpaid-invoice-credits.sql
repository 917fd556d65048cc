-- Two operators may also credit an unpaid invoice that is wrong: a reduction, for which no money moves.
ALTER TABLE "invoice_refunds" ADD COLUMN "kind" text DEFAULT 'refund' NOT NULL;
