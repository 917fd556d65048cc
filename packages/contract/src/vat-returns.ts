/** VAT returns: obligations from HMRC, the nine boxes from the books, filing and receipt. */
import { BOOKS_KINDS, TREATMENTS } from '@portal/domain/books/books-row.ts';
import { CHECK_SEVERITIES } from '@portal/domain/vat-returns/check-severity.ts';
import { VAT_DIRECTIONS } from '@portal/domain/uk-tax/vat/nine-boxes.ts';
import { OBLIGATION_STATUSES, RECEIPT_SOURCES, RETURN_STATES } from '@portal/domain/vat-returns/return-state.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, idScalar, instantScalar, penceScalar, wholePoundsScalar } from './scalars.ts';

/** The nine boxes. Box 5 is never negative; `direction` says who pays. */
export const nineBoxes = z.object({
  box1_pence: penceScalar,
  box2_pence: penceScalar,
  box3_pence: penceScalar,
  box4_pence: penceScalar,
  box5_pence: penceScalar,
  box6_pounds: wholePoundsScalar,
  box7_pounds: wholePoundsScalar,
  box8_pounds: wholePoundsScalar,
  box9_pounds: wholePoundsScalar,
  direction: z.enum(VAT_DIRECTIONS),
});
export type NineBoxesOutput = z.output<typeof nineBoxes>;

export const returnState = z.enum(RETURN_STATES);

export const obligationOutput = z.object({
  obligation_id: idScalar,
  period_start: dateScalar,
  period_end: dateScalar,
  due_on: dateScalar,
  status: z.enum(OBLIGATION_STATUSES),
  received_on: z.nullable(dateScalar),
  state: returnState,
  overdue: z.boolean(),
});

const receiptOutput = z.object({
  form_bundle_number: z.nullable(z.string()),
  processing_date: z.nullable(z.string()),
  /** BANK: HMRC has bank details for the repayment; DD: it has a Direct Debit. */
  payment_indicator: z.nullable(z.string()),
  charge_ref_number: z.nullable(z.string()),
  receipt_id: z.nullable(z.string()),
  received_at: instantScalar,
  /** `answer`: HMRC's own response to the filing. `read_back`: that response was lost, but HMRC holds this return. */
  source: z.enum(RECEIPT_SOURCES),
  filed_by: z.string(),
  declaration: z.string(),
});

const vatReturnOutput = z.object({
  obligation: obligationOutput,
  boxes: z.nullable(nineBoxes),
  /** Identifies exactly these figures. Filing with another version is rejected, so that users file only figures they have seen. */
  figures_version: z.nullable(z.string()),
  rows: z.int(),
  flagged: z.int(),
  source: z.nullable(z.object({ file_name: z.string(), applied_at: instantScalar })),
  checks: z.array(z.object({ code: z.string(), severity: z.enum(CHECK_SEVERITIES), sentence: z.string() })),
  declaration: z.string(),
  receipt: z.nullable(receiptOutput),
  /** Why HMRC rejected the return, as text; null unless the state is `refused`. */
  refusal: z.nullable(z.string()),
  /** The refund of a return filed with other software: whether HMRC still owes it, and a sentence about it. Null for all other returns. */
  found: z.nullable(z.object({ refund: z.enum(['open', 'gone']), finding: z.string() })),
  /** HMRC has repaid the refund, or has been paid. */
  settled: z.boolean(),
  /** The previous return and the one from a year ago, if HMRC holds them. */
  earlier: z.array(z.object({ which: z.enum(['previous', 'year_ago']), period_end: dateScalar, boxes: nineBoxes })),
  brand: z.string(),
});
export type VatReturnOutput = z.output<typeof vatReturnOutput>;

const obligationInput = z.extend(companyInput, { obligation_id: idScalar });

export const BOXES = ['1', '2', '4', '6', '7', '8', '9'] as const;

export const vatReturnsApi = {
  get: endpoint({
    method: 'GET',
    path: '/instant-vat/vat-return',
    access: 'company.read',
    summary: 'Get a VAT return: its boxes and their source, points to check, and its receipt once filed',
    input: obligationInput,
    output: vatReturnOutput,
  }),
  transactions: endpoint({
    method: 'GET',
    path: '/instant-vat/vat-return/transactions',
    access: 'company.read',
    summary: 'List the transactions behind a box, in file order, all or those that contain a text',
    input: z.extend(obligationInput, {
      box: z.enum(BOXES),
      after_line: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0),
      /** Part of a counterparty, description or reference. */
      search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
    }),
    output: z.object({
      transactions: z.array(
        z.object({
          line: z.int(),
          date: dateScalar,
          kind: z.enum(BOOKS_KINDS),
          reference: z.string(),
          counterparty: z.string(),
          description: z.string(),
          treatment: z.enum(TREATMENTS),
          net_pence: penceScalar,
          vat_pence: penceScalar,
          /** The amount this row adds to the box. */
          amount_pence: penceScalar,
          flagged: z.boolean(),
        }),
      ),
      total_pence: penceScalar,
      rows: z.int(),
      next_after_line: z.nullable(z.int()),
    }),
  }),
  file: endpoint({
    method: 'POST',
    path: '/instant-vat/vat-return/file',
    access: 'company.file_return',
    summary: 'File a VAT return with HMRC, at most once',
    input: z.extend(obligationInput, {
      figures_version: z.string().check(z.minLength(1, 'Open the return again')),
      declaration_accepted: z.literal(true, 'Tick the declaration to file this return'),
    }),
    output: vatReturnOutput,
    callsHmrc: true,
    needsIdempotencyKey: true,
  }),
  resolve: endpoint({
    method: 'POST',
    path: '/instant-vat/vat-return/resolve',
    access: 'company.file_return',
    summary: 'Check with HMRC whether a return was received after its response was lost',
    input: obligationInput,
    output: vatReturnOutput,
    callsHmrc: true,
  }),
};
