import type { Article } from './article.ts';

export const WHAT_WE_SEE: Article = {
  key: 'what-we-see',
  title: 'What we can see at HMRC',
  group: 'Returns and HMRC',
  product: 'instant_vat',
  pages: ['stepGovernmentGateway', 'linkHmrcAccount', 'connections'],
  words: 'government gateway permission consent grant 18 months password access revoke disconnect',
  write: () => [
    'You sign in on HMRC’s website and give us permission to work with your VAT account. We never see your Government Gateway user ID or password.',
    {
      list: [
        'We can see which VAT returns HMRC expects, the returns you’ve filed, and what you owe or have paid in VAT.',
        'We only file a return when you press the button to file it.',
        'We can’t see any other tax, such as payroll, Corporation Tax or Self Assessment.',
        'We can’t see or change your bank details at HMRC.',
      ],
    },
    'Your permission lasts 18 months. From 30 days before it ends, we remind you in your pending tasks. You can withdraw it at any time in your HMRC account, under “Manage authorised software”.',
    'Each time we contact HMRC, the law requires us to send details of your browser and connection, such as your time zone and IP address. HMRC uses them to prevent fraud.',
    { link: { label: 'See your connections', page: 'connections' } },
  ],
};
