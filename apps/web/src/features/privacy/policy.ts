/** The data policy as data: what we store about people, why, who sees it and for how long. Lawful bases: Article 6(1) of the UK GDPR. */

export type PersonalDataUse = { readonly what: string; readonly why: string; readonly basis: string; readonly howLong: string };

export const PERSONAL_DATA_USES: readonly PersonalDataUse[] = [
  {
    what: 'Your name, email address and phone number',
    why: 'To run your account and contact you about your refunds',
    basis: 'Contract',
    howLong: 'While you have an account, then six years',
  },
  {
    what: 'Your company’s name, company number, VAT number, and officers listed at Companies House',
    why: 'To know whose returns and refunds they are',
    basis: 'Contract',
    howLong: 'While you have an account, then six years',
  },
  {
    what: 'Your VAT figures: the books you upload, returns, receipts, and what HMRC says is owed and paid',
    why: 'To prepare and file your returns and to price a refund',
    basis: 'Contract, and legal obligation for records',
    howLong: 'Six years from filing, as the law requires for VAT records',
  },
  {
    what: 'Your bank account, advances, agreements and payments',
    why: 'To pay you and keep our accounts',
    basis: 'Contract, and legal obligation for records',
    howLong: 'Six years after the advance is settled',
  },
  {
    what: 'The result of your identity check, and the month of your birth',
    why: 'To stop anyone else selling your refund',
    basis: 'Legal obligation (money laundering rules)',
    howLong: 'Five years after our business relationship ends',
  },
  {
    what: 'Your browser and connection: IP address, time zone, screen size and a device number',
    why: 'We must send them to HMRC with each request to prevent fraud, and we show you where you’re logged in',
    basis: 'Legal obligation, and legitimate interests in security',
    howLong: 'Until the session ends. What we sent to HMRC is kept with the return',
  },
  {
    what: 'What was done here, by whom and when',
    why: 'So that every change to money or filing can be traced',
    basis: 'Legitimate interests in security, and legal obligation for records',
    howLong: 'Six years',
  },
  {
    what: 'Messages you send us',
    why: 'To reply to you',
    basis: 'Legitimate interests in replying',
    howLong: 'Two years after we last dealt with it; six years for a complaint',
  },
];

export type Recipient = { readonly who: string; readonly what: string };

export const RECIPIENTS: readonly Recipient[] = [
  { who: 'HMRC', what: 'The returns you file, and the details of your browser and connection that the law requires' },
  { who: 'TrueLayer', what: 'Your name, bank account and the amount, to pay you and open the collection account' },
  { who: 'Companies House', what: 'The company name or number you search for' },
  {
    who: 'Our identity check provider',
    what: 'Your name and email address. You send your documents to them directly, and we only see the result',
  },
  { who: 'Twilio', what: 'Your mobile number, to send a code' },
  { who: 'Google, Microsoft, Xero, Intuit, FreeAgent', what: 'If you log in with them: that you did' },
  { who: 'HubSpot', what: 'If you open the chat: your email address and what you write there' },
  { who: 'Google Analytics', what: 'If you allow it: which pages you open' },
];

export const RIGHTS: readonly string[] = [
  'see the data we hold about you, and get a copy in a machine-readable format',
  'have anything that’s wrong corrected',
  'have your data erased, unless the law requires us to keep it',
  'stop or limit how we use it, or object to a use that relies on our legitimate interests',
  'withdraw your consent at any time (what we did before stays lawful)',
  'have a person review a decision that was made only by rules',
];
