/** The operations that charge practices (Stripe). */
import { randomInt, randomUUID } from 'node:crypto';
import { addMilliseconds, systemClock } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import type { PriceList } from '@portal/domain/pricing/price-list.ts';
import type { BillingProvider } from '@portal/providers/stripe/stripe-port.ts';
import type { Clients, FaultTestBed } from './bed.ts';
import { read, required, type CasesOf, type OperationCase } from './operation-case.ts';

const getStripe = ({ billing }: Clients): BillingProvider => required(billing, 'Stripe').provider;
const CONTACT = { name: 'Oakline', email: 'billing@oakline.example' };
const PAYING_CARD = '4242424242424242';
const DECLINING_CARD = '4000000000000341';

const PRICE_LIST: PriceList = {
  version: 77,
  mode: 'volume',
  publishedOn: plainDate('2026-01-01'),
  effectiveFrom: plainDate('2026-01-01'),
  existingFrom: null,
  tiers: [
    { name: 'Free', from: 0, to: 10, basePence: pence(0), unitPence: pence(0), included: 10 },
    { name: 'Paid', from: 11, to: null, basePence: pence(15_00), unitPence: pence(1_20), included: 10 },
  ],
};

const createCustomer = (clients: Clients) =>
  getStripe(clients).createCustomer({ idempotencyKey: randomUUID(), companyId: randomUUID(), contact: CONTACT });

const createSetup = (clients: Clients, customerId: string) => {
  const urls = { returnUrl: 'http://localhost/back', cancelUrl: 'http://localhost/cancelled' };
  return getStripe(clients).startSetup({ idempotencyKey: randomUUID(), customerId, kind: 'card', ...urls });
};

async function createMethod(testBed: FaultTestBed, clients: Clients, customerId: string, card: string) {
  const { setupId } = await createSetup(clients, customerId);
  testBed.portal.stripe.completeNewestCheckout(card);
  return required(await getStripe(clients).findEnteredMethod(setupId), 'payment method');
}

async function createOrder(testBed: FaultTestBed, clients: Clients, card = PAYING_CARD) {
  const customerId = await createCustomer(clients);
  const { paymentMethodId } = await createMethod(testBed, clients, customerId, card);
  await getStripe(clients).setDefaultMethod({ idempotencyKey: randomUUID(), customerId, paymentMethodId });
  const priceId = await getStripe(clients).ensurePrice(PRICE_LIST);
  const taxRateId = await getStripe(clients).ensureVatRate(2_000);
  return { idempotencyKey: randomUUID(), customerId, paymentMethodId, priceId, taxRateId, quantity: 20, couponId: undefined };
}

async function createSubscription(testBed: FaultTestBed, clients: Clients) {
  const order = await createOrder(testBed, clients);
  return { order, subscription: await getStripe(clients).createSubscription(order) };
}

async function createInvoice(testBed: FaultTestBed, clients: Clients) {
  const { subscription } = await createSubscription(testBed, clients);
  return required((await getStripe(clients).listInvoices(subscription.subscriptionId))[0], 'invoice');
}

async function createUnpaidInvoice(testBed: FaultTestBed, clients: Clients) {
  const order = await createOrder(testBed, clients, DECLINING_CARD);
  const { subscriptionId } = await getStripe(clients).createSubscription(order);
  const { invoiceId } = required((await getStripe(clients).listInvoices(subscriptionId))[0], 'invoice');
  return { customerId: order.customerId, invoiceId };
}

const createRefundOrder = async (testBed: FaultTestBed, clients: Clients) => {
  const { invoiceId } = await createInvoice(testBed, clients);
  return { idempotencyKey: randomUUID(), invoiceId, amountPence: pence(100), memo: 'Too many' };
};

const createRefund = async (testBed: FaultTestBed, clients: Clients) => {
  const chargeId = required((await createInvoice(testBed, clients)).chargeId, 'charge');
  return { idempotencyKey: randomUUID(), chargeId, amountPence: pence(100) };
};

const getMonth = () => [addMilliseconds(systemClock.now(), -30 * 86_400_000), systemClock.now()] as const;

/** Creates a case for a write whose preparation creates a customer of its own. */
const write = (prepare: OperationCase['prepare'], overrides: Partial<OperationCase> = {}): OperationCase => ({
  effect: 'write',
  prepare,
  ...overrides,
});

export const billingCases: CasesOf<BillingProvider> = {
  // New ones each time, because one that exists already needs fewer calls.
  ensurePrice: write(async () => {
    const priceList = { ...PRICE_LIST, version: randomInt(1_000, 1_000_000_000) };
    return (clients) => getStripe(clients).ensurePrice(priceList);
  }),
  ensureVatRate: write(async () => {
    const rate = randomInt(1, 10_000);
    return (clients) => getStripe(clients).ensureVatRate(rate);
  }),
  ensureCoupon: write(async () => {
    const promotion = { discount: { kind: 'percent' as const, percent: randomInt(1, 100) }, months: randomInt(1, 1_000) };
    return (clients) => getStripe(clients).ensureCoupon(promotion);
  }),
  createCustomer: write(async () => {
    const order = { idempotencyKey: randomUUID(), companyId: randomUUID(), contact: CONTACT };
    return (clients) => getStripe(clients).createCustomer(order);
  }),
  updateCustomer: write(async (_bed, clients) => {
    const order = { idempotencyKey: randomUUID(), customerId: await createCustomer(clients), contact: CONTACT };
    return (laterClients) => getStripe(laterClients).updateCustomer(order);
  }),
  startSetup: write(async (_bed, clients) => {
    const urls = { returnUrl: 'http://localhost/back', cancelUrl: 'http://localhost/cancelled' };
    const order = { idempotencyKey: randomUUID(), customerId: await createCustomer(clients), kind: 'card' as const, ...urls };
    return (laterClients) => getStripe(laterClients).startSetup(order);
  }),
  findEnteredMethod: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { setupId } = await createSetup(clients, await createCustomer(clients));
      testBed.portal.stripe.completeNewestCheckout(PAYING_CARD);
      return (laterClients) => getStripe(laterClients).findEnteredMethod(setupId);
    },
  },
  setDefaultMethod: write(async (testBed, clients) => {
    const { customerId, paymentMethodId } = await createOrder(testBed, clients);
    const order = { idempotencyKey: randomUUID(), customerId, paymentMethodId };
    return (laterClients) => getStripe(laterClients).setDefaultMethod(order);
  }),
  findSubscriptionByKey: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { order } = await createSubscription(testBed, clients);
      return (laterClients) => getStripe(laterClients).findSubscriptionByKey(order.customerId, order.idempotencyKey);
    },
  },
  createSubscription: write(async (testBed, clients) => {
    const order = await createOrder(testBed, clients);
    return (laterClients) => getStripe(laterClients).createSubscription(order);
  }),
  getSubscription: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { subscription } = await createSubscription(testBed, clients);
      return (laterClients) => getStripe(laterClients).getSubscription(subscription.subscriptionId);
    },
  },
  changeQuantity: write(async (testBed, clients) => {
    const { subscriptionId, itemId, periodStart } = (await createSubscription(testBed, clients)).subscription;
    const order = { idempotencyKey: randomUUID(), subscriptionId, itemId, quantity: 40, at: periodStart, priceId: undefined };
    return (laterClients) => getStripe(laterClients).changeQuantity(order);
  }),
  changePrice: write(async (testBed, clients) => {
    const { subscriptionId, itemId } = (await createSubscription(testBed, clients)).subscription;
    const priceId = await getStripe(clients).ensurePrice({ ...PRICE_LIST, version: 78 });
    const order = { idempotencyKey: randomUUID(), subscriptionId, itemId, priceId };
    return (laterClients) => getStripe(laterClients).changePrice(order);
  }),
  applyCoupon: write(async (testBed, clients) => {
    const { subscriptionId } = (await createSubscription(testBed, clients)).subscription;
    const couponId = await getStripe(clients).ensureCoupon({ discount: { kind: 'percent', percent: 25 }, months: 3 });
    const order = { idempotencyKey: randomUUID(), subscriptionId, couponId };
    return (laterClients) => getStripe(laterClients).applyCoupon(order);
  }),
  setEndsAtPeriodEnd: write(async (testBed, clients) => {
    const { subscriptionId } = (await createSubscription(testBed, clients)).subscription;
    const order = { idempotencyKey: randomUUID(), subscriptionId, ends: true };
    return (laterClients) => getStripe(laterClients).setEndsAtPeriodEnd(order);
  }),
  endSubscription: write(async (testBed, clients) => {
    const { subscriptionId } = (await createSubscription(testBed, clients)).subscription;
    return (laterClients) => getStripe(laterClients).endSubscription(subscriptionId);
  }),
  previewInvoice: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const order = { ...(await createOrder(testBed, clients)), change: undefined };
      return (laterClients) => getStripe(laterClients).previewInvoice(order);
    },
  },
  listInvoices: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { subscription } = await createSubscription(testBed, clients);
      return (laterClients) => getStripe(laterClients).listInvoices(subscription.subscriptionId);
    },
  },
  getInvoice: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { invoiceId } = await createInvoice(testBed, clients);
      return (laterClients) => getStripe(laterClients).getInvoice(invoiceId);
    },
  },
  markUncollectible: write(async (testBed, clients) => {
    const { invoiceId } = await createUnpaidInvoice(testBed, clients);
    const order = { idempotencyKey: randomUUID(), invoiceId };
    return (laterClients) => getStripe(laterClients).markUncollectible(order);
  }),
  payInvoice: write(
    async (testBed, clients) => {
      // The first card was declined. An invoice that is paid can't be paid again.
      const { customerId, invoiceId } = await createUnpaidInvoice(testBed, clients);
      const { paymentMethodId } = await createMethod(testBed, clients, customerId, PAYING_CARD);
      const payment = { idempotencyKey: randomUUID(), invoiceId, paymentMethodId };
      return (laterClients) => getStripe(laterClients).payInvoice(payment);
    },
    { worksOnce: true },
  ),
  refund: write(async (testBed, clients) => {
    const order = await createRefundOrder(testBed, clients);
    return (laterClients) => getStripe(laterClients).refund(order);
  }),
  findCreditNote: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const order = await createRefundOrder(testBed, clients);
      await getStripe(clients).refund(order);
      return (laterClients) => getStripe(laterClients).findCreditNote(order.invoiceId, order.idempotencyKey);
    },
  },
  creditUnpaid: write(async (testBed, clients) => {
    const { invoiceId } = await createUnpaidInvoice(testBed, clients);
    const order = { idempotencyKey: randomUUID(), invoiceId, amountPence: pence(100), memo: 'Wrong' };
    return (laterClients) => getStripe(laterClients).creditUnpaid(order);
  }),
  findUnpaidCredit: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { invoiceId } = await createUnpaidInvoice(testBed, clients);
      const order = { idempotencyKey: randomUUID(), invoiceId, amountPence: pence(100), memo: 'Wrong' };
      await getStripe(clients).creditUnpaid(order);
      return (laterClients) => getStripe(laterClients).findUnpaidCredit(order.invoiceId, order.idempotencyKey);
    },
  },
  refundAgain: write(async (testBed, clients) => {
    const order = await createRefund(testBed, clients);
    return (laterClients) => getStripe(laterClients).refundAgain(order);
  }),
  listRefunds: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const order = await createRefund(testBed, clients);
      await getStripe(clients).refundAgain(order);
      return (laterClients) => getStripe(laterClients).listRefunds(order.chargeId);
    },
  },
  listRefundsSince: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      await getStripe(clients).refundAgain(await createRefund(testBed, clients));
      const [since] = getMonth();
      return (laterClients) => getStripe(laterClients).listRefundsSince(since);
    },
  },
  getRefund: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { refundId } = await getStripe(clients).refundAgain(await createRefund(testBed, clients));
      return (laterClients) => getStripe(laterClients).getRefund(refundId);
    },
  },
  createPortalSession: write(async (_bed, clients) => {
    const order = { idempotencyKey: randomUUID(), customerId: await createCustomer(clients), returnUrl: 'http://localhost/back' };
    return (laterClients) => getStripe(laterClients).createPortalSession(order);
  }),
  listBalanceTransactions: read((clients) => getStripe(clients).listBalanceTransactions(...getMonth()), { differsEachTime: true }),
  listPayouts: read((clients) => getStripe(clients).listPayouts(...getMonth()), { differsEachTime: true }),
  listPayoutTransactions: read((clients) => getStripe(clients).listPayoutTransactions('po_unknown')),
  verifyWebhook: 'checks a signature and sends nothing',
};
