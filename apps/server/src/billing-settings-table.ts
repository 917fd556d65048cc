/** Settings for charging practices: Stripe, and our details on invoices. */
import { z } from 'zod';
import { setting, text, urlLabel, webUrl } from './setting-shapes.ts';

const NOT_CHARGED_TEXT = 'the simulator’s, if there is one; otherwise practices aren’t charged';

export const billingSettingTable = {
  STRIPE_API_URL: setting({
    shape: webUrl,
    expectedText: urlLabel,
    defaultValue: () => 'https://api.stripe.com',
    meaning: 'URL of Stripe, which charges practices.',
  }),
  STRIPE_SECRET_KEY: setting({
    shape: text.optional(),
    expectedText: 'a secret key',
    defaultLabel: NOT_CHARGED_TEXT,
    isSecret: true,
    meaning: 'Secret (or restricted) key of your Stripe account.',
  }),
  STRIPE_WEBHOOK_SECRETS: setting({
    shape: text
      .transform((list) => list.split(',').map((secret) => secret.trim()))
      .pipe(z.array(text).min(1))
      .optional(),
    expectedText: 'secrets, separated by commas, newest first',
    defaultLabel: NOT_CHARGED_TEXT,
    isSecret: true,
    meaning: 'Secrets that sign Stripe’s webhooks.',
  }),
  INVOICE_SELLER_NAME: setting({
    shape: text.optional(),
    expectedText: 'a name',
    defaultLabel: NOT_CHARGED_TEXT,
    meaning: 'Our registered name, on invoices to practices.',
  }),
  INVOICE_SELLER_ADDRESS: setting({
    shape: text.optional(),
    expectedText: 'an address on one line',
    defaultLabel: NOT_CHARGED_TEXT,
    meaning: 'Our registered address, on invoices to practices.',
  }),
  INVOICE_SELLER_VAT_NUMBER: setting({
    shape: z
      .string()
      .regex(/^GB\d{9}$/)
      .optional(),
    expectedText: 'GB and nine digits',
    defaultLabel: NOT_CHARGED_TEXT,
    meaning: 'Our VAT number, on invoices to practices. Invoices are numbered without gaps for each VAT number.',
  }),
};
