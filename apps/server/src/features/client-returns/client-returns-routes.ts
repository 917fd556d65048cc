import type { clientReturnsApi } from '@portal/contract/client-returns.ts';
import { MAX_BOOKS_FILE_BYTES } from '@portal/contract/books.ts';
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { parseFile } from '../../http/parse-file.ts';
import { receiveFile } from '../../http/receive-file.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { Handlers, ServeSettings } from '../../http/serve-contract.ts';
import { applyPendingBooks, discardPendingBooks, mapBooksColumns, receiveBooks } from '../books/books-uploads.ts';
import { getCurrentBooks } from '../books/current-books.ts';
import { addAdjustment, removeAdjustment } from '../vat-returns/adjustments.ts';
import { decideCorrections, getCorrections, undoCorrection } from '../vat-returns/correct-errors.ts';
import { getReturnOutput } from '../vat-returns/get-return.ts';
import { listBoxTransactions } from '../vat-returns/list-box-transactions.ts';
import { toTaxpayer } from '../vat-returns/taxpayer.ts';
import { listClientReturns, updateClientObligations } from './client-obligations.ts';
import { fileClientReturn, resolveClientFiling } from './file-client-return.ts';

export function clientReturnsHandlers(deps: AppDeps): Handlers<typeof clientReturnsApi> {
  const toKey = (tenant: ClientTenant, obligationId: string) => ({ ...toTaxpayer(tenant), obligationId });
  const getReturn = (tenant: ClientTenant, obligationId: string) => getReturnOutput(deps, toTaxpayer(tenant), obligationId);
  return {
    list: ({ tenant }) => listClientReturns(deps, tenant),
    books: ({ tenant }) => getCurrentBooks(deps, tenant.clientId),
    mapBooks: ({ input, tenant, actor, caller }) =>
      parseFile(() => mapBooksColumns(deps, { ...toTaxpayer(tenant), actor, ip: caller.ip }, input)),
    applyBooks: ({ input, tenant, actor, caller }) =>
      parseFile(() => applyPendingBooks(deps, { ...toTaxpayer(tenant), actor, ip: caller.ip }, input.upload_id)),
    discardBooks: async ({ input, tenant }) => {
      await discardPendingBooks(deps.database.db, tenant.clientId, input.upload_id);
      return { done: true };
    },
    get: async ({ input, tenant }) => {
      await updateClientObligations(deps, tenant);
      return getReturn(tenant, input.obligation_id);
    },
    transactions: ({ input, tenant }) => listBoxTransactions(deps, toTaxpayer(tenant), input),
    corrections: ({ input, tenant }) => getCorrections(deps, toKey(tenant, input.obligation_id)),
    correct: async ({ input, tenant, actor, caller }) => {
      const key = toKey(tenant, input.obligation_id);
      await decideCorrections(deps, { actor, caller }, key, { keys: input.keys, route: input.route, note: input.note });
      return getCorrections(deps, key);
    },
    undoCorrection: async ({ input, tenant, actor, caller }) => {
      await undoCorrection(deps, { actor, caller }, toTaxpayer(tenant), input.correction_id);
      return getCorrections(deps, toKey(tenant, input.obligation_id));
    },
    adjust: async ({ input, tenant, actor, caller }) => {
      const { adjustment_id: adjustmentId, box, amount_pence: amount, reason } = input;
      await addAdjustment(deps, { actor, caller }, toKey(tenant, input.obligation_id), { adjustmentId, box, amount, reason });
      return getReturn(tenant, input.obligation_id);
    },
    removeAdjustment: async ({ input, tenant, actor, caller }) => {
      await removeAdjustment(deps, { actor, caller }, toKey(tenant, input.obligation_id), input.adjustment_id);
      return getReturn(tenant, input.obligation_id);
    },
    file: async ({ input, tenant, actor, caller }) => {
      await fileClientReturn(deps, { actor, caller }, tenant, { obligationId: input.obligation_id, figuresVersion: input.figures_version });
      return getReturn(tenant, input.obligation_id);
    },
    resolve: async ({ input, tenant, actor, caller }) => {
      await resolveClientFiling(deps, { actor, caller }, tenant, input.obligation_id);
      return getReturn(tenant, input.obligation_id);
    },
  };
}

/** The upload is a stream, so it can't be a JSON endpoint of the contract. */
export async function serveClientBooksFiles(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): Promise<void> {
  await receiveFile(app, settings, {
    ...FILE_ENDPOINTS.clientReturns.uploadBooks,
    maxFileBytes: MAX_BOOKS_FILE_BYTES,
    tooLarge: { code: 'books.file_too_large', advice: 'Split it by quarter and upload the quarter you want to file.' },
    handle: async ({ query, tenant, bytes, actor, ip }) => {
      await updateClientObligations(deps, tenant);
      return receiveBooks(deps, { ...toTaxpayer(tenant), actor, ip }, query.file_name, bytes);
    },
  });
}
