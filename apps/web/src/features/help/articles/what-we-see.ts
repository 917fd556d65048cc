import type { Article } from './article.ts';

export const WHAT_WE_SEE: Article = {
  key: 'what-we-see',
  title: 'What we see at HMRC, and what we do not',
  group: 'Returns and HMRC',
  product: 'instant_vat',
  pages: ['stepGovernmentGateway', 'linkHmrcAccount', 'connections'],
  words: 'government gateway permission consent grant 18 months password access revoke disconnect',
  write: () => [
    'You sign in on HMRC’s own page and allow us to work with your VAT account. We never see your Government Gateway user ID or password.',
    {
      list: [
        'We see which VAT returns HMRC expects and has, the returns filed, and what you owe or have paid in VAT.',
        'We file a return only when you press the button for it.',
        'We see no other tax: no payroll, corporation tax or self assessment.',
        'We do not see your bank details at HMRC and cannot change them.',
      ],
    },
    'HMRC’s permission lasts 18 months. From 30 days before its end your pending tasks say so. You can end it at any time in your HMRC account, under “Manage authorised software”.',
    'With each call, the law asks us to tell HMRC facts of your browser and connection, such as its time zone and address. HMRC uses them against fraud.',
    { link: { label: 'See your connections', page: 'connections' } },
  ],
};
