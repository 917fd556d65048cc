/** Two operators who work on reconciliation exceptions in tests: one requests, the other approves. */
import { expect, vi } from 'vitest';
import { createOperator, type ApiResponse, type Browser, type Trader } from './test-trader.ts';
import { createIdempotencyHeaders, findAdvance } from './take-advance.ts';
import type { TestPortal } from './open-test-portal.ts';
import { WAIT_OPTIONS } from './wait-options.ts';

export type ExceptionItem = {
  kind: string;
  subject_id: string;
  amount_pence: number;
  currency: string;
  problem: string | null;
  in_flight_pence: number;
  advance_id: string | null;
  awaits_approval: boolean;
  notes: { text: string; by: string }[];
};

type Part = { readonly advance_id: string | null; readonly amount_pence: number };

export type OperatorPair = Awaited<ReturnType<typeof createOperatorPair>>;

export async function createOperatorPair(portal: TestPortal, suffix = '') {
  const olga = await createOperator(portal, `olga${suffix}@operators.example`);
  const omar = await createOperator(portal, `omar${suffix}@operators.example`);

  const listExceptions = async (trader: Trader): Promise<ExceptionItem[]> => {
    const { body } = await olga.get('/operator/matters');
    return (body['matters'] as (ExceptionItem & { company_id: string })[]).filter(({ company_id }) => company_id === trader.companyId);
  };

  /** Sends money to the trader's collection account, by default from the trader's other account. */
  const sendCredit = async (
    trader: Trader,
    amountPence: number,
    { remitterName = 'Tess Exports Ltd', reference = 'REF 1', currency = 'GBP' } = {},
  ) => {
    const { collection_account } = await findAdvance(trader);
    portal.bank.creditAccount({
      sortCode: collection_account?.sort_code ?? '',
      accountNumber: collection_account?.account_number ?? '',
      amountPence,
      remitterName,
      reference,
      ...(currency === 'GBP' ? {} : { currency }),
    });
  };

  const waitForException = (trader: Trader, kind: string, amountPence: number): Promise<ExceptionItem> =>
    vi.waitFor(async () => {
      const foundException = (await listExceptions(trader)).find((item) => item.kind === kind && item.amount_pence === amountPence);
      if (!foundException) throw new Error(`no ${kind} of ${amountPence} yet`);
      return foundException;
    }, WAIT_OPTIONS);

  const allocate = (operator: Browser, trader: Trader, creditId: string, allocations: readonly Part[]) =>
    operator.post('/operator/matters/allocate', {
      company_id: trader.companyId,
      credit_id: creditId,
      allocations,
      reason: 'The bank confirmed it',
    });

  const approve = (operator: Browser, trader: Trader, requestId: unknown) =>
    operator.post('/operator/approvals/approve', { company_id: trader.companyId, request_id: requestId }, createIdempotencyHeaders());

  /** Olga requests and Omar approves. */
  const resolve = async (trader: Trader, request: Promise<ApiResponse>): Promise<void> => {
    const { status, body } = await request;
    expect([status, body['message']]).toEqual([200, undefined]);
    const approvedResponse = await approve(omar, trader, body['request_id']);
    expect([approvedResponse.status, approvedResponse.body['message']]).toEqual([200, undefined]);
  };

  return { olga, omar, listExceptions, sendCredit, waitForException, allocate, approve, resolve };
}
