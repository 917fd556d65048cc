/**
 * VAT returns that a practice prepares and files for a client (docs/decisions/0060-client-vat-returns.md): the endpoints of vat-returns.ts
 * and books.ts applied to a client. The upload is a stream: `POST /client/vat-books/file?company_id=&client_id=&file_name=`, with the file
 * as the body.
 */
import { APPROVAL_STATES } from '@portal/domain/vat-returns/return-approval.ts';
import { z } from 'zod/mini';
import { booksMapFields, booksUploadOutput, currentBooksOutput } from './books.ts';
import { endpoint } from './endpoint.ts';
import { companyInput, doneOutput, figureSource, fileNameScalar, idScalar, instantScalar } from './scalars.ts';
import { transactionsOutput } from './return-transactions.ts';
import { correctionsOutput, obligationOutput, returnFields, vatReturnOutput } from './vat-returns.ts';

export const CLIENT_BOOKS_UPLOAD_PATH = '/client/vat-books/file';

const clientInput = z.extend(companyInput, { client_id: idScalar });
const uploadInput = z.extend(clientInput, { upload_id: idScalar });
const returnInput = z.extend(clientInput, { obligation_id: idScalar });

/** Query parameters of an upload. */
export const clientBooksUploadQuery = z.extend(clientInput, { file_name: fileNameScalar });

/** `approval`: the status of the approval in force, or null if the figures haven't been sent. */
const listedReturn = z.extend(obligationOutput, { approval: z.nullable(z.enum(APPROVAL_STATES)) });
export type ListedReturn = z.output<typeof listedReturn>;

export const clientReturnsApi = {
  list: endpoint({
    method: 'GET',
    path: '/client/vat-returns-to-file',
    access: 'client.read',
    summary: 'List a client’s VAT returns that HMRC expects or has received, newest first, with their status',
    input: clientInput,
    /** `source` and `as_of`: where the periods were read and when; null if they haven't been read. */
    output: z.object({
      returns: z.array(listedReturn),
      source: z.nullable(figureSource),
      as_of: z.nullable(instantScalar),
    }),
  }),
  books: endpoint({
    method: 'GET',
    path: '/client/vat-books',
    access: 'client.read',
    summary: 'Get a client’s current books file and earlier ones',
    input: clientInput,
    output: currentBooksOutput,
  }),
  mapBooks: endpoint({
    method: 'POST',
    path: '/client/vat-books/map',
    access: 'client.work',
    runsOneAtATime: true,
    summary: 'Choose the sheet and header row of a client’s pending file, and what its columns and values mean',
    input: z.extend(uploadInput, booksMapFields),
    output: booksUploadOutput,
  }),
  applyBooks: endpoint({
    method: 'POST',
    path: '/client/vat-books/apply',
    access: 'client.work',
    runsOneAtATime: true,
    summary: 'Use a client’s pending file even though it covers only part of a period',
    input: uploadInput,
    output: booksUploadOutput,
  }),
  discardBooks: endpoint({
    method: 'POST',
    path: '/client/vat-books/discard',
    access: 'client.work',
    summary: 'Delete a client’s pending file',
    input: uploadInput,
    output: doneOutput,
  }),
  get: endpoint({
    method: 'GET',
    path: '/client/vat-return',
    access: 'client.read',
    summary: 'Get a client’s VAT return: its boxes and their sources, points to check, and its receipt once filed',
    input: returnInput,
    output: vatReturnOutput,
  }),
  transactions: endpoint({
    method: 'GET',
    path: '/client/vat-return/transactions',
    access: 'client.read',
    runsOneAtATime: true,
    summary: 'List the transactions behind a box of a client’s return',
    input: z.extend(returnInput, returnFields.transactions),
    output: transactionsOutput,
  }),
  corrections: endpoint({
    method: 'GET',
    path: '/client/vat-return/corrections',
    access: 'client.read',
    summary: 'List transactions in filed periods that can be corrected on this return',
    input: returnInput,
    output: correctionsOutput,
  }),
  correct: endpoint({
    method: 'POST',
    path: '/client/vat-return/correct',
    access: 'client.work',
    summary: 'Decide how to treat transactions in the client’s filed periods',
    input: z.extend(returnInput, returnFields.correct),
    output: correctionsOutput,
  }),
  undoCorrection: endpoint({
    method: 'POST',
    path: '/client/vat-return/undo-correction',
    access: 'client.work',
    summary: 'Undo a decision about a transaction in a client’s filed period',
    input: z.extend(returnInput, { correction_id: idScalar }),
    output: correctionsOutput,
  }),
  adjust: endpoint({
    method: 'POST',
    path: '/client/vat-return/adjust',
    access: 'client.work',
    summary: 'Add an adjustment, with a reason, to a box of a client’s unfiled return',
    input: z.extend(returnInput, returnFields.adjust),
    output: vatReturnOutput,
  }),
  removeAdjustment: endpoint({
    method: 'POST',
    path: '/client/vat-return/remove-adjustment',
    access: 'client.work',
    summary: 'Remove an adjustment from a client’s unfiled return',
    input: z.extend(returnInput, { adjustment_id: idScalar }),
    output: vatReturnOutput,
  }),
  file: endpoint({
    method: 'POST',
    path: '/client/vat-return/file',
    access: 'client.file_return',
    summary: 'File a client’s VAT return with HMRC as its agent, at most once. The client must have approved exactly these figures.',
    input: z.extend(returnInput, returnFields.file),
    output: vatReturnOutput,
    callsHmrc: true,
    needsIdempotencyKey: true,
  }),
  resolve: endpoint({
    method: 'POST',
    path: '/client/vat-return/resolve',
    access: 'client.file_return',
    summary: 'After a lost response, check with HMRC whether a client’s return was received',
    input: returnInput,
    output: vatReturnOutput,
    callsHmrc: true,
  }),
};
