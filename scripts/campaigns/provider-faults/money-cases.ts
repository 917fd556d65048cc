/** The operations that move money or query its movements: TrueLayer, GoCardless, Modulr, screening. */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import type { DirectDebitProvider } from '@portal/providers/gocardless/gocardless-port.ts';
import type { AccountNameCheck } from '@portal/providers/modulr/account-name-check-port.ts';
import type { Screening } from '@portal/providers/screening/screening-port.ts';
import type { PaymentsProvider, PayoutOrder } from '@portal/providers/truelayer/truelayer-port.ts';
import type { Clients, FaultTestBed } from './bed.ts';
import { read, required, type CasesOf } from './operation-case.ts';

const DAY_MS = 86_400_000;

const getToday = ({ portal }: FaultTestBed) => {
  const now = portal.deps.clock.now();
  return { from: addMilliseconds(now, -DAY_MS), to: addMilliseconds(now, DAY_MS) };
};

/** The account in the newest order, which identifies the order in the bank's records. */
let account = '';

function createOrder(): PayoutOrder {
  account = String(randomInt(10_000_000, 99_999_999));
  const beneficiary = { name: 'Tess Exports Ltd', sortCode: '200000', accountNumber: account };
  return { idempotencyKey: randomUUID(), amountPence: pence(12_345), beneficiary, reference: 'REFUND' };
}

const countPayouts = ({ portal }: FaultTestBed): number =>
  portal.bank.listPayouts().filter(({ account_number }) => account_number === account).length;

const createAccount = ({ payments }: Clients) =>
  payments.openCollectionAccount({ idempotencyKey: randomUUID(), accountHolderName: 'Tess Exports Ltd' });

async function waitForWebhook(testBed: FaultTestBed, clients: Clients) {
  testBed.relay.held.length = 0;
  await clients.payments.createPayout(createOrder());
  // GoCardless's webhooks also arrive here.
  const find = () => testBed.relay.held.find(({ headers }) => 'tl-signature' in headers);
  while (find() === undefined) await pause(5);
  return required(find(), 'webhook');
}

let accountsBefore = 0;

export const paymentsCases: CasesOf<PaymentsProvider> = {
  createPayout: {
    effect: 'write',
    prepare: async () => {
      const order = createOrder();
      return ({ payments }) => payments.createPayout(order);
    },
    countEffects: countPayouts,
  },
  findPayout: {
    effect: 'read',
    differsEachTime: true,
    prepare: async (_bed, clients) => {
      const { payoutId } = await clients.payments.createPayout(createOrder());
      return ({ payments }) => payments.findPayout(payoutId);
    },
  },
  findPayoutByKey: {
    effect: 'read',
    differsEachTime: true,
    prepare: async (testBed, clients) => {
      const order = createOrder();
      await clients.payments.createPayout(order);
      return ({ payments }) => payments.findPayoutByKey({ idempotencyKey: order.idempotencyKey, ...getToday(testBed) });
    },
  },
  // A signed POST without any effect, so it fails like one that has an effect.
  checkSignature: { effect: 'write', prepare: async () => (laterClients) => laterClients.payments.checkSignature() },
  listPayouts: {
    effect: 'read',
    differsEachTime: true,
    prepare: async (testBed, clients) => {
      await clients.payments.createPayout(createOrder());
      return ({ payments }) => payments.listPayouts(getToday(testBed));
    },
  },
  readPayingAccount: {
    effect: 'read',
    prepare:
      async () =>
      ({ payments }) =>
        payments.readPayingAccount(),
  },
  openCollectionAccount: {
    effect: 'write',
    prepare: async (testBed) => {
      accountsBefore = testBed.portal.bank.listCollectionAccounts().length;
      const order = { idempotencyKey: randomUUID(), accountHolderName: 'Tess Exports Ltd' };
      return ({ payments }) => payments.openCollectionAccount(order);
    },
    countEffects: ({ portal }) => portal.bank.listCollectionAccounts().length - accountsBefore,
  },
  listCollectionAccountTransactions: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { accountId, sortCode, accountNumber } = await createAccount(clients);
      testBed.portal.bank.creditAccount({ sortCode, accountNumber, amountPence: 4_200, remitterName: 'HMRC VAT', reference: 'R' });
      return ({ payments }) => payments.listCollectionAccountTransactions({ accountId, ...getToday(testBed) });
    },
  },
  verifyWebhook: {
    effect: 'read',
    isAlwaysUnavailable: true,
    prepare: async (testBed, clients) => {
      const { url, headers, body } = await waitForWebhook(testBed, clients);
      return ({ payments }) => payments.verifyWebhook({ headers, rawBody: body, path: url });
    },
  },
};

const getDirectDebits = ({ directDebits }: Clients): DirectDebitProvider => required(directDebits, 'GoCardless');

async function createMandateRequest(clients: Clients): Promise<string> {
  return (await getDirectDebits(clients).requestMandate({ idempotencyKey: randomUUID() })).billingRequestId;
}

const RETURN = {
  returnUrl: 'http://localhost/back',
  exitUrl: 'http://localhost/exit',
  payer: { companyName: 'Tess Exports Ltd', email: 'tess@trader.example' },
};

async function createMandate(testBed: FaultTestBed, clients: Clients): Promise<string> {
  const billingRequestId = await createMandateRequest(clients);
  const { authorisationUrl } = await getDirectDebits(clients).startFlow({ idempotencyKey: randomUUID(), billingRequestId, ...RETURN });
  const earlierIds = new Set(testBed.portal.directDebits.listMandates().map(({ id }) => id));
  await fetch(authorisationUrl, { method: 'POST', body: new URLSearchParams({ choice: 'confirm' }), redirect: 'manual' });
  return required(testBed.portal.directDebits.listMandates().find(({ id }) => !earlierIds.has(id))?.id, 'new mandate');
}

const createDebit = async (testBed: FaultTestBed, clients: Clients) => ({
  idempotencyKey: randomUUID(),
  mandateId: await createMandate(testBed, clients),
  amountPence: pence(5_000),
  chargeOn: addDays(testBed.today(), 14),
  description: 'Difference',
});

/** GoCardless pays out what it has collected on the next working day. */
async function createPayout(testBed: FaultTestBed, clients: Clients): Promise<string> {
  const { paymentId } = await getDirectDebits(clients).createDirectDebit(await createDebit(testBed, clients));
  for (const status of ['confirmed', 'paid_out'] as const) testBed.portal.directDebits.movePayment(paymentId, status);
  const payouts = await getDirectDebits(clients).listPayouts(getToday(testBed).from);
  return required(payouts.at(0)?.payoutId, 'payout of GoCardless’s');
}

let paymentsBefore = 0;

export const directDebitCases: CasesOf<DirectDebitProvider> = {
  requestMandate: {
    effect: 'write',
    prepare: async () => {
      const order = { idempotencyKey: randomUUID() };
      return (clients) => getDirectDebits(clients).requestMandate(order);
    },
  },
  startFlow: {
    effect: 'write',
    differsEachTime: true,
    worksOnce: true,
    prepare: async (_bed, clients) => {
      const order = { idempotencyKey: randomUUID(), billingRequestId: await createMandateRequest(clients), ...RETURN };
      return (laterClients) => getDirectDebits(laterClients).startFlow(order);
    },
  },
  findMandateRequest: {
    effect: 'read',
    prepare: async (_bed, clients) => {
      const id = await createMandateRequest(clients);
      return (laterClients) => getDirectDebits(laterClients).findMandateRequest(id);
    },
  },
  findMandate: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const id = await createMandate(testBed, clients);
      return (laterClients) => getDirectDebits(laterClients).findMandate(id);
    },
  },
  findAccountEnding: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const mandate = await getDirectDebits(clients).findMandate(await createMandate(testBed, clients));
      const { payerAccountId } = required(mandate, 'new mandate');
      return (laterClients) => getDirectDebits(laterClients).findAccountEnding(payerAccountId);
    },
  },
  cancelMandate: {
    effect: 'write',
    prepare: async (testBed, clients) => {
      const id = await createMandate(testBed, clients);
      return (laterClients) => getDirectDebits(laterClients).cancelMandate(id);
    },
  },
  cancelMandateRequest: {
    effect: 'write',
    prepare: async (_bed, clients) => {
      const id = await createMandateRequest(clients);
      return (laterClients) => getDirectDebits(laterClients).cancelMandateRequest(id);
    },
  },
  createDirectDebit: {
    effect: 'write',
    prepare: async (testBed, clients) => {
      const order = await createDebit(testBed, clients);
      paymentsBefore = testBed.portal.directDebits.listPayments().length;
      return (laterClients) => getDirectDebits(laterClients).createDirectDebit(order);
    },
    countEffects: ({ portal }) => portal.directDebits.listPayments().length - paymentsBefore,
  },
  findDirectDebit: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { paymentId } = await getDirectDebits(clients).createDirectDebit(await createDebit(testBed, clients));
      return (laterClients) => getDirectDebits(laterClients).findDirectDebit(paymentId);
    },
  },
  findDirectDebitByKey: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const order = await createDebit(testBed, clients);
      await getDirectDebits(clients).createDirectDebit(order);
      return (laterClients) => getDirectDebits(laterClients).findDirectDebitByKey(order);
    },
  },
  cancelDirectDebit: {
    effect: 'write',
    prepare: async (testBed, clients) => {
      const { paymentId } = await getDirectDebits(clients).createDirectDebit(await createDebit(testBed, clients));
      return (laterClients) => getDirectDebits(laterClients).cancelDirectDebit(paymentId);
    },
  },
  findFailure: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { paymentId } = await getDirectDebits(clients).createDirectDebit(await createDebit(testBed, clients));
      return (laterClients) => getDirectDebits(laterClients).findFailure(paymentId);
    },
  },
  listPayouts: read((clients, testBed) => getDirectDebits(clients).listPayouts(getToday(testBed).from)),
  listPayoutItems: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const payoutId = await createPayout(testBed, clients);
      return (laterClients) => getDirectDebits(laterClients).listPayoutItems(payoutId);
    },
  },
  verifyWebhook: 'checks a signature that is already here',
};

export const accountNameCases: CasesOf<AccountNameCheck> = {
  checkBusinessAccount: read(
    ({ accountNameCheck }) =>
      required(accountNameCheck, 'account name check').checkBusinessAccount({
        name: 'Tess Exports Ltd',
        sortCode: '200000',
        accountNumber: '55779911',
      }),
    { differsEachTime: true },
  ),
};

export const screeningCases: CasesOf<Screening> = {
  screen: read(({ screening }) => required(screening, 'screening').screen([{ kind: 'company', name: 'Tess Exports Ltd' }])),
};
