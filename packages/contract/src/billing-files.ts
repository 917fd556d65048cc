/** Billing files: practices' VAT invoices, and the exports for reconciling a month. */
import { BILLING_EXPORT_PATH, billingExportQuery, INVOICE_FILE_PATH, invoiceFileQuery, OPERATOR_INVOICE_FILE_PATH } from './billing.ts';

export const BILLING_FILES = {
  invoice: {
    method: 'GET',
    path: INVOICE_FILE_PATH,
    access: 'practice.manage',
    summary: 'Download a VAT invoice or credit note',
    query: invoiceFileQuery,
    response: ['application/pdf', 'text/csv'],
  },
  operatorInvoice: {
    method: 'GET',
    path: OPERATOR_INVOICE_FILE_PATH,
    access: 'operator',
    summary: 'Download a practice’s VAT invoice or credit note. Recorded in the practice’s audit trail.',
    query: invoiceFileQuery,
    response: ['application/pdf', 'text/csv'],
  },
  export: {
    method: 'GET',
    path: BILLING_EXPORT_PATH,
    access: 'operator',
    summary: 'Download a month’s invoices, payments or payouts. The three files reconcile with each other.',
    query: billingExportQuery,
    response: ['text/csv'],
  },
} as const;
