/** The operations that charge practices (Stripe). */
import { randomUUID } from 'node:crypto';
import { addMilliseconds, systemClock } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import type { PriceList } from '@portal/domain/pricing/price-list.ts';
import type { BillingProvider } from '@portal/providers/stripe/stripe-port.ts';
import type { Clients, FaultTestBed } from './bed.ts';
import { read, required, type CasesOf, type OperationCase } from './operation-case.ts';

const stripe = ({ billing }: Clients): BillingProvider => required(billing, 'Stripe').provider;
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
  stripe(clients).createCustomer({ idempotencyKey: randomUUID(), companyId: randomUUID(), contact: CONTACT });

const createSetup = (clients: Clients, customerId: string) => {
  const urls = { returnUrl: 'http://localhost/back', cancelUrl: 'http://localhost/cancelled' };
  return stripe(clients).startSetup({ idempotencyKey: randomUUID(), customerId, kind: 'card', ...urls });
};

async function createOrder(testBed: FaultTestBed, clients: Clients, card = PAYING_CARD) {
  const customerId = await createCustomer(clients);
  const { setupId } = await createSetup(clients, customerId);
  testBed.portal.stripe.completeNewestCheckout(card);
  const method = required(await stripe(clients).findEnteredMethod(setupId), 'payment method');
  const { paymentMethodId } = method;
  await stripe(clients).setDefaultMethod({ idempotencyKey: randomUUID(), customerId, paymentMethodId });
  const priceId = await stripe(clients).ensurePrice(PRICE_LIST);
  const taxRateId = await stripe(clients).ensureVatRate(2_000);
  return { idempotencyKey: randomUUID(), customerId, paymentMethodId, priceId, taxRateId, quantity: 20, couponId: undefined };
}

async function createSubscription(testBed: FaultTestBed, clients: Clients) {
  const order = await createOrder(testBed, clients);
  return { order, subscription: await stripe(clients).createSubscription(order) };
}

async function createInvoice(testBed: FaultTestBed, clients: Clients) {
  const { subscription } = await createSubscription(testBed, clients);
  return required((await stripe(clients).listInvoices(subscription.subscriptionId))[0], 'invoice');
}

async function createUnpaidInvoice(testBed: FaultTestBed, clients: Clients) {
  const { subscriptionId } = await stripe(clients).createSubscription(await createOrder(testBed, clients, DECLINING_CARD));
  return required((await stripe(clients).listInvoices(subscriptionId))[0], 'invoice');
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
  ensurePrice: write(async () => (clients) => stripe(clients).ensurePrice(PRICE_LIST)),
  ensureVatRate: write(async () => (clients) => stripe(clients).ensureVatRate(2_000)),
  ensureCoupon: write(async () => (clients) => stripe(clients).ensureCoupon({ discount: { kind: 'percent', percent: 25 }, months: 3 })),
  createCustomer: write(async () => {
    const order = { idempotencyKey: randomUUID(), companyId: randomUUID(), contact: CONTACT };
    return (clients) => stripe(clients).createCustomer(order);
  }),
  updateCustomer: write(async (_bed, clients) => {
    const order = { idempotencyKey: randomUUID(), customerId: await createCustomer(clients), contact: CONTACT };
    return (later) => stripe(later).updateCustomer(order);
  }),
  startSetup: write(async (_bed, clients) => {
    const urls = { returnUrl: 'http://localhost/back', cancelUrl: 'http://localhost/cancelled' };
    const order = { idempotencyKey: randomUUID(), customerId: await createCustomer(clients), kind: 'card' as const, ...urls };
    return (later) => stripe(later).startSetup(order);
  }),
  findEnteredMethod: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { setupId } = await createSetup(clients, await createCustomer(clients));
      testBed.portal.stripe.completeNewestCheckout(PAYING_CARD);
      return (later) => stripe(later).findEnteredMethod(setupId);
    },
  },
  setDefaultMethod: write(async (testBed, clients) => {
    const { customerId, paymentMethodId } = await createOrder(testBed, clients);
    const order = { idempotencyKey: randomUUID(), customerId, paymentMethodId };
    return (later) => stripe(later).setDefaultMethod(order);
  }),
  findSubscriptionByKey: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { order } = await createSubscription(testBed, clients);
      return (later) => stripe(later).findSubscriptionByKey(order.customerId, order.idempotencyKey);
    },
  },
  createSubscription: write(async (testBed, clients) => {
    const order = await createOrder(testBed, clients);
    return (later) => stripe(later).createSubscription(order);
  }),
  getSubscription: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { subscription } = await createSubscription(testBed, clients);
      return (later) => stripe(later).getSubscription(subscription.subscriptionId);
    },
  },
  changeQuantity: write(async (testBed, clients) => {
    const { subscriptionId, itemId, periodStart } = (await createSubscription(testBed, clients)).subscription;
    const order = { idempotencyKey: randomUUID(), subscriptionId, itemId, quantity: 40, at: periodStart, priceId: undefined };
    return (later) => stripe(later).changeQuantity(order);
  }),
  changePrice: write(async (testBed, clients) => {
    const { subscriptionId, itemId } = (await createSubscription(testBed, clients)).subscription;
    const priceId = await stripe(clients).ensurePrice({ ...PRICE_LIST, version: 78 });
    const order = { idempotencyKey: randomUUID(), subscriptionId, itemId, priceId };
    return (later) => stripe(later).changePrice(order);
  }),
  applyCoupon: write(async (testBed, clients) => {
    const { subscriptionId } = (await createSubscription(testBed, clients)).subscription;
    const couponId = await stripe(clients).ensureCoupon({ discount: { kind: 'percent', percent: 25 }, months: 3 });
    const order = { idempotencyKey: randomUUID(), subscriptionId, couponId };
    return (later) => stripe(later).applyCoupon(order);
  }),
  setEndsAtPeriodEnd: write(async (testBed, clients) => {
    const { subscriptionId } = (await createSubscription(testBed, clients)).subscription;
    const order = { idempotencyKey: randomUUID(), subscriptionId, ends: true };
    return (later) => stripe(later).setEndsAtPeriodEnd(order);
  }),
  endSubscription: write(async (testBed, clients) => {
    const { subscriptionId } = (await createSubscription(testBed, clients)).subscription;
    return (later) => stripe(later).endSubscription(subscriptionId);
  }),
  previewInvoice: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const order = { ...(await createOrder(testBed, clients)), change: undefined };
      return (later) => stripe(later).previewInvoice(order);
    },
  },
  listInvoices: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { subscription } = await createSubscription(testBed, clients);
      return (later) => stripe(later).listInvoices(subscription.subscriptionId);
    },
  },
  getInvoice: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { invoiceId } = await createInvoice(testBed, clients);
      return (later) => stripe(later).getInvoice(invoiceId);
    },
  },
  markUncollectible: write(async (testBed, clients) => {
    const { invoiceId } = await createUnpaidInvoice(testBed, clients);
    const order = { idempotencyKey: randomUUID(), invoiceId };
    return (later) => stripe(later).markUncollectible(order);
  }),
  payInvoice: write(
    async (testBed, clients) => {
      const { order, subscription } = await createSubscription(testBed, clients);
      const [invoice] = await stripe(clients).listInvoices(subscription.subscriptionId);
      const { paymentMethodId } = order;
      const payment = { idempotencyKey: randomUUID(), invoiceId: required(invoice?.invoiceId, 'invoice'), paymentMethodId };
      return (later) => stripe(later).payInvoice(payment);
    },
    { worksOnce: true },
  ),
  refund: write(async (testBed, clients) => {
    const order = await createRefundOrder(testBed, clients);
    return (later) => stripe(later).refund(order);
  }),
  findCreditNote: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const order = await createRefundOrder(testBed, clients);
      await stripe(clients).refund(order);
      return (later) => stripe(later).findCreditNote(order.invoiceId, order.idempotencyKey);
    },
  },
  creditUnpaid: write(async (testBed, clients) => {
    const { invoiceId } = await createUnpaidInvoice(testBed, clients);
    const order = { idempotencyKey: randomUUID(), invoiceId, amountPence: pence(100), memo: 'Wrong' };
    return (later) => stripe(later).creditUnpaid(order);
  }),
  findUnpaidCredit: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { invoiceId } = await createUnpaidInvoice(testBed, clients);
      const order = { idempotencyKey: randomUUID(), invoiceId, amountPence: pence(100), memo: 'Wrong' };
      await stripe(clients).creditUnpaid(order);
      return (later) => stripe(later).findUnpaidCredit(order.invoiceId, order.idempotencyKey);
    },
  },
  refundAgain: write(async (testBed, clients) => {
    const order = await createRefund(testBed, clients);
    return (later) => stripe(later).refundAgain(order);
  }),
  listRefunds: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const order = await createRefund(testBed, clients);
      await stripe(clients).refundAgain(order);
      return (later) => stripe(later).listRefunds(order.chargeId);
    },
  },
  listRefundsSince: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      await stripe(clients).refundAgain(await createRefund(testBed, clients));
      const [since] = getMonth();
      return (later) => stripe(later).listRefundsSince(since);
    },
  },
  getRefund: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { refundId } = await stripe(clients).refundAgain(await createRefund(testBed, clients));
      return (later) => stripe(later).getRefund(refundId);
    },
  },
  createPortalSession: write(async (_bed, clients) => {
    const order = { idempotencyKey: randomUUID(), customerId: await createCustomer(clients), returnUrl: 'http://localhost/back' };
    return (later) => stripe(later).createPortalSession(order);
  }),
  listBalanceTransactions: read((clients) => stripe(clients).listBalanceTransactions(...getMonth()), { differsEachTime: true }),
  listPayouts: read((clients) => stripe(clients).listPayouts(...getMonth()), { differsEachTime: true }),
  listPayoutTransactions: read((clients) => stripe(clients).listPayoutTransactions('po_unknown')),
  verifyWebhook: 'checks a signature and sends nothing',
};
