import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import type { Product } from '@portal/domain/partners/partner.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';

const FIRST_STEPS: Readonly<Record<Product, string>> = {
  instant_vat: 'Next, add your company and connect HMRC. You’ll see what HMRC owes you and when your returns are due.',
  open_tax: 'Next, add your practice and connect HMRC. You’ll see what your clients owe, what they’re owed and when it’s due.',
};

/** Sent once, when the account is created. By then the user has confirmed the email address. */
export function enqueueWelcomeEmail(deps: AppDeps, tx: Tx, { email, product }: { email: string; product: Product }): Promise<void> {
  const { brand } = deps.site;
  return enqueueEmail(deps, tx, email, {
    subject: `Welcome to ${brand}`,
    preheader: 'Your account is ready. Here’s what to do next.',
    heading: `Welcome to ${brand}`,
    paragraphs: ['Your account is ready and your email address is confirmed.', FIRST_STEPS[product]],
    // The linked page finds the user's next step.
    action: { label: 'Continue', path: PAGES.home.path },
    reason: `You’re receiving this because you created a ${brand} account.`,
  });
}
