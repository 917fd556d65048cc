import type { Article } from './article.ts';

export const BANK_ACCOUNT: Article = {
  key: 'bank-account',
  title: 'Adding or changing your bank account',
  group: 'Your account',
  product: 'instant_vat',
  pages: ['stepBankAccount', 'profile', 'connections'],
  words: 'sort code account number payout hold change collection account hmrc repay',
  write: ({ terms }) => [
    'We pay into your business’s UK bank account. You only need to add it once. Each payment shows its last four digits.',
    `If you change it, payments pause for ${terms.bankChangeHoldHours} hours. This protects you if someone else gets into your account. There’s no pause for the first account you add.`,
    'During an advance, HMRC doesn’t repay into this account. It repays into the collection account in your company’s name, which is shown in the offer. We can’t change your details at HMRC, so you do that in HMRC’s own service.',
  ],
};
