import type { Article } from './article.ts';

export const BANK_ACCOUNT: Article = {
  key: 'bank-account',
  title: 'Adding or changing your bank account',
  group: 'Your account',
  product: 'instant_vat',
  pages: ['stepBankAccount', 'profile', 'connections'],
  words: 'sort code account number payout hold change collection account hmrc repay',
  write: ({ terms }) => [
    'We pay into a UK bank account of the business. Add it once; every payment names its last four digits.',
    `When you change it, we hold payments for ${terms.bankChangeHoldHours} hours. That protects you if somebody else got into your account. The first account is not held.`,
    'It is not the account that HMRC repays into while an advance runs: that is the collection account in your company’s name, which the offer shows. We cannot change anything at HMRC; you do that in HMRC’s own service.',
  ],
};
