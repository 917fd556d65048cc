-- An invoice that was paid before it was issued has an earlier tax point (VAT Regulations 1995, regulation 90).
ALTER TABLE "vat_invoices" ADD COLUMN "tax_point" date;