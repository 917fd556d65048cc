/** VAT returns: obligations from HMRC, the nine boxes from the books, filing, and the receipt. */
import { BOOKS_PROVIDERS } from '@portal/domain/connected-books/books-providers.ts';
import { BOOKS_KINDS, TREATMENTS } from '@portal/domain/books/books-row.ts';
import { CHECK_SEVERITIES } from '@portal/domain/vat-returns/check-severity.ts';
import { VAT_DIRECTIONS } from '@portal/domain/uk-tax/vat/nine-boxes.ts';
import { CORRECTION_DECISIONS, LATE_ROW_KINDS } from '@portal/domain/vat-returns/correction-routes.ts';
import { ADJUSTMENT_KINDS, ADJUSTMENT_REASON_LENGTH } from '@portal/domain/vat-returns/adjustment-kinds.ts';
import { OBLIGATION_STATUSES, RECEIPT_SOURCES, RETURN_STATES } from '@portal/domain/vat-returns/return-state.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { BOXES, returnChanges, transactionsOutput } from './return-transactions.ts';
import { companyInput, dateScalar, idScalar, instantScalar, penceScalar, wholePoundsScalar } from './scalars.ts';

/** The nine boxes. Box 5 is never negative; `direction` shows who pays. */
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
  /** BANK: HMRC has bank details for the repayment. DD: it has a Direct Debit. */
  payment_indicator: z.nullable(z.string()),
  charge_ref_number: z.nullable(z.string()),
  receipt_id: z.nullable(z.string()),
  received_at: instantScalar,
  /** `answer`: HMRC's own response to the filing. `read_back`: that response was lost, but HMRC holds this return. */
  source: z.enum(RECEIPT_SOURCES),
  filed_by: z.string(),
  declaration: z.string(),
});

const adjustmentOutput = z.object({
  adjustment_id: idScalar,
  box: z.enum(BOXES),
  amount_pence: penceScalar,
  kind: z.enum(ADJUSTMENT_KINDS),
  reason: z.string(),
  made_by: z.string(),
  made_at: instantScalar,
});
export type AdjustmentOutput = z.output<typeof adjustmentOutput>;

export const vatReturnOutput = z.object({
  obligation: obligationOutput,
  boxes: z.nullable(nineBoxes),
  /** Identifies exactly these figures. Filing with another version is rejected, so that users file only figures they have seen. */
  figures_version: z.nullable(z.string()),
  /** Amounts added to boxes on top of the transactions; included in `boxes`. */
  adjustments: z.array(adjustmentOutput),
  /** The number of rows in filed periods that aren't in any return yet. */
  late_rows: z.int(),
  /**
   * The differences between the books and a return filed elsewhere. `difference_pence`: the amount by which the return exceeds the books.
   */
  books_difference: z.nullable(
    z.object({
      file_name: z.string(),
      boxes: z.array(z.object({ box: z.int(), filed_pence: penceScalar, books_pence: penceScalar, difference_pence: penceScalar })),
    }),
  ),
  rows: z.int(),
  flagged: z.int(),
  /** The documents that have changed since the figures were approved or filed, in all boxes and in each. */
  changes: returnChanges,
  /** `program`: the bookkeeping software that the books came from; null for a file. */
  source: z.nullable(z.object({ file_name: z.string(), applied_at: instantScalar, program: z.nullable(z.enum(BOOKS_PROVIDERS)) })),
  checks: z.array(z.object({ code: z.string(), severity: z.enum(CHECK_SEVERITIES), sentence: z.string() })),
  declaration: z.string(),
  receipt: z.nullable(receiptOutput),
  /** Why HMRC rejected the return, as text; null unless the state is `refused`. */
  refusal: z.nullable(z.string()),
  /** The refund of a return filed with other software: whether HMRC still owes it, and a sentence about it. Null for all other returns. */
  found: z.nullable(z.object({ refund: z.enum(['open', 'gone']), finding: z.string() })),
  /** True if HMRC has repaid the refund or received the payment. */
  settled: z.boolean(),
  /** The previous return and the one from a year ago, if HMRC holds them. */
  earlier: z.array(z.object({ which: z.enum(['previous', 'year_ago']), period_end: dateScalar, boxes: nineBoxes })),
  brand: z.string(),
});
export type VatReturnOutput = z.output<typeof vatReturnOutput>;

const obligationInput = z.extend(companyInput, { obligation_id: idScalar });

const lateRowVersion = z.nullable(
  z.object({
    date: dateScalar,
    reference: z.string(),
    counterparty: z.string(),
    description: z.string(),
    treatment: z.enum(TREATMENTS),
    net_pence: penceScalar,
    vat_pence: penceScalar,
  }),
);

const lateRowOutput = z.object({
  key: z.string(),
  kind: z.enum(LATE_ROW_KINDS),
  type: z.enum(BOOKS_KINDS),
  filed: lateRowVersion,
  now: lateRowVersion,
  /** VAT missing from the filed return: positive is owed to HMRC, negative to the trader. */
  due_pence: penceScalar,
  /** Null until someone decides. `period_end`: for the route `return`, the return that includes it. */
  decision: z.nullable(
    z.object({
      correction_id: idScalar,
      route: z.enum(CORRECTION_DECISIONS),
      obligation_id: idScalar,
      period_end: dateScalar,
      note: z.string(),
      decided_by: z.string(),
      decided_at: instantScalar,
      can_undo: z.boolean(),
    }),
  ),
});
export type LateRowOutput = z.output<typeof lateRowOutput>;

export const correctionsOutput = z.object({
  /** A period is listed twice while some of its errors are too old, and input tax can still be claimed. */
  periods: z.array(
    z.object({
      obligation_id: idScalar,
      period_start: dateScalar,
      period_end: dateScalar,
      /** The last day on which these errors can be corrected. */
      correct_until: dateScalar,
      too_old: z.boolean(),
      /** True if the books differ from the filed ones in too many rows to list. */
      too_many: z.boolean(),
      rows: z.array(lateRowOutput),
      /** For a return filed elsewhere, whose rows we don't know: true if the boxes differ from the books. */
      boxes_differ: z.boolean(),
    }),
  ),
  /** The errors that this return includes or could include: VAT owed to HMRC, VAT owed to the trader, and the net amount. */
  owed_to_hmrc_pence: penceScalar,
  owed_to_trader_pence: penceScalar,
  net_error_pence: penceScalar,
  /** The largest net error that this return can correct, and its box 6. Null without figures. */
  limit: z.nullable(z.object({ limit_pence: penceScalar, box6_pounds: wholePoundsScalar, is_within: z.boolean() })),
  can_change: z.boolean(),
});
export type CorrectionsOutput = z.output<typeof correctionsOutput>;

const reasonText = z
  .string()
  .check(
    z.trim(),
    z.minLength(ADJUSTMENT_REASON_LENGTH.min, `Enter a reason of at least ${ADJUSTMENT_REASON_LENGTH.min} characters`),
    z.maxLength(ADJUSTMENT_REASON_LENGTH.max, `Enter a reason of at most ${ADJUSTMENT_REASON_LENGTH.max} characters`),
  );

/** Fields shared by the traders' and practices' endpoints, apart from those that identify the return's owner (client-returns.ts). */
export const returnFields = {
  transactions: {
    box: z.enum(BOXES),
    after_line: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(10_000_000)), 0),
    search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
    /** `changed`: only documents that have changed since the figures were approved or filed. */
    show: z._default(z.enum(['all', 'changed']), 'all'),
  },
  correct: {
    keys: z.array(z.string().check(z.maxLength(100))).check(z.minLength(1, 'Select at least one row'), z.maxLength(2_000)),
    route: z.enum(CORRECTION_DECISIONS),
    /** Required unless the route is `return`. */
    note: z.optional(reasonText),
  },
  adjust: {
    /** Chosen by the caller, so that a repeated request doesn't add anything. */
    adjustment_id: idScalar,
    box: z.enum(BOXES),
    amount_pence: penceScalar,
    reason: reasonText,
  },
  file: {
    figures_version: z.string().check(z.minLength(1, 'Reopen the return, then try again')),
    declaration_accepted: z.literal(true, 'Tick the declaration to file this return'),
  },
};

export const vatReturnsApi = {
  get: endpoint({
    method: 'GET',
    path: '/instant-vat/vat-return',
    access: 'company.read',
    summary: 'Get a VAT return: its boxes and their sources, points to check, and its receipt once filed',
    input: obligationInput,
    output: vatReturnOutput,
  }),
  transactions: endpoint({
    method: 'GET',
    path: '/instant-vat/vat-return/transactions',
    access: 'company.read',
    runsOneAtATime: true,
    summary:
      'List the transactions behind a box, in file order, with what has changed since the figures were approved or filed. Optionally only those that contain the given text or have changed.',
    input: z.extend(obligationInput, returnFields.transactions),
    output: transactionsOutput,
  }),
  file: endpoint({
    method: 'POST',
    path: '/instant-vat/vat-return/file',
    access: 'company.file_return',
    summary: 'File a VAT return with HMRC, at most once',
    input: z.extend(obligationInput, returnFields.file),
    output: vatReturnOutput,
    callsHmrc: true,
    needsIdempotencyKey: true,
  }),
  resolve: endpoint({
    method: 'POST',
    path: '/instant-vat/vat-return/resolve',
    access: 'company.file_return',
    summary: 'After a lost response, check with HMRC whether a return was received',
    input: obligationInput,
    output: vatReturnOutput,
    callsHmrc: true,
  }),
  corrections: endpoint({
    method: 'GET',
    path: '/instant-vat/vat-return/corrections',
    access: 'company.read',
    summary: 'List transactions in filed periods that can be corrected on this return, with the net error and HMRC’s limit for it',
    input: obligationInput,
    output: correctionsOutput,
  }),
  correct: endpoint({
    method: 'POST',
    path: '/instant-vat/vat-return/correct',
    access: 'company.prepare',
    summary:
      'Decide how to treat transactions in filed periods: correct them on this return, record that they were reported to HMRC, or leave them out',
    input: z.extend(obligationInput, returnFields.correct),
    output: correctionsOutput,
  }),
  undoCorrection: endpoint({
    method: 'POST',
    path: '/instant-vat/vat-return/undo-correction',
    access: 'company.prepare',
    summary: 'Undo a decision about a transaction in a filed period, until the return with the correction is filed',
    input: z.extend(obligationInput, { correction_id: idScalar }),
    output: correctionsOutput,
  }),
  adjust: endpoint({
    method: 'POST',
    path: '/instant-vat/vat-return/adjust',
    access: 'company.prepare',
    summary: 'Add an adjustment, with a reason, to a box of an unfiled return',
    input: z.extend(obligationInput, returnFields.adjust),
    output: vatReturnOutput,
  }),
  removeAdjustment: endpoint({
    method: 'POST',
    path: '/instant-vat/vat-return/remove-adjustment',
    access: 'company.prepare',
    summary: 'Remove an adjustment from an unfiled return',
    input: z.extend(obligationInput, { adjustment_id: idScalar }),
    output: vatReturnOutput,
  }),
};
