/** A practice with connections, billing details and a payment method, for subscription tests. */
import { randomUUID } from 'node:crypto';
import { connectionCountChanges } from '@portal/db/schema/schema.ts';
import { addPractice, type TestPractice } from './add-practice.ts';
import type { TestPortal } from './open-test-portal.ts';
import type { ApiResponse } from './test-trader.ts';

export const CARDS = { pays: '4242424242424242', declines: '4000000000000341', confirms: '4000002760003184' } as const;

export type PayingPractice = TestPractice & {
  read(path: string, query?: Record<string, string>): Promise<ApiResponse>;
  /** Sends a write with a new idempotency key. */
  write(path: string, body?: object): Promise<ApiResponse>;
  /** Enters a card, or an account for Direct Debit, on Stripe's page. */
  enterMethod(number: string, kind?: 'card' | 'bacs_debit'): Promise<ApiResponse>;
  /** Simulates that clients were linked and selected, or deselected. */
  select(difference: number): Promise<void>;
  /** Agrees to the current price. */
  subscribe(): Promise<ApiResponse>;
};

/** Adds a practice with `connections` selected; by default 60, which cost £87.60 a month including VAT. */
export async function addPayingPractice(portal: TestPortal, connections = 60): Promise<PayingPractice> {
  const practice = await addPractice(portal);
  const { companyId, admin } = practice;
  const read = (path: string, query: Record<string, string> = {}) => admin.get(`/open-tax/${path}`, { company_id: companyId, ...query });
  const write = (path: string, body: object = {}) =>
    admin.post(`/open-tax/${path}`, { company_id: companyId, ...body }, { 'idempotency-key': randomUUID() });
  const select = async (difference: number) => {
    const row = { companyId, id: randomUUID(), connections: difference };
    await portal.deps.database.db.insert(connectionCountChanges).values(row);
  };
  const enterMethod = async (number: string, kind: 'card' | 'bacs_debit' = 'card') => {
    await write('billing/payment-method', { kind, return_to: 'setup' });
    portal.stripe.completeNewestCheckout(number);
    return write('billing/payment-method/read');
  };
  await select(connections);
  const details = {
    billing_name: 'Olivia Oak',
    billing_email: `${companyId}@oakline.example`,
    billing_address: '1 High Street\nLeeds LS1 1AA',
  };
  await write('billing/details', { ...details, promotion_code: '' });
  return {
    ...practice,
    read,
    write,
    enterMethod,
    select,
    subscribe: async () => {
      const { body } = await read('billing');
      const code = body['promotion_code'];
      const priceResponse = await read('calculate-pricing', typeof code === 'string' && code !== '' ? { promotion_code: code } : {});
      return write('billing/subscription', { expected_total_pence: priceResponse.body['total_pence'] });
    },
  };
}
