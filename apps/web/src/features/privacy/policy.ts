/** The data policy as data: what we store about people, why, who sees it and for how long. Lawful bases: Article 6(1) of the UK GDPR. */

export type PersonalDataUse = { readonly what: string; readonly why: string; readonly basis: string; readonly howLong: string };

export const PERSONAL_DATA_USES: readonly PersonalDataUse[] = [
  {
    what: 'Your name, email address and phone number',
    why: 'Your account, and to reach you about your refunds',
    basis: 'Contract',
    howLong: 'As long as you have an account, then six years',
  },
  {
    what: 'Your company: name, number, VAT number, officers as Companies House lists them',
    why: 'To know whose returns and refunds these are',
    basis: 'Contract',
    howLong: 'As long as you have an account, then six years',
  },
  {
    what: 'Your VAT figures: the books you upload, returns, receipts, what HMRC says is owed and paid',
    why: 'To prepare and file your returns and to price a refund',
    basis: 'Contract; the law, for records',
    howLong: 'Six years from the filing, as VAT records must be kept',
  },
  {
    what: 'Your bank account, advances, agreements and payments',
    why: 'To pay you, and to keep our books',
    basis: 'Contract; the law, for records',
    howLong: 'Six years after the advance is settled',
  },
  {
    what: 'The result of your identity check',
    why: 'To keep others from selling your refund',
    basis: 'The law, against money laundering',
    howLong: 'Five years after our business with you ends',
  },
  {
    what: 'Your browser and connection: address, time zone, screen size, a number for the device',
    why: 'HMRC must be told them with each call, against fraud; and to show you where you are signed in',
    basis: 'The law; legitimate interests in security',
    howLong: 'As long as the session; what was told to HMRC, with the return',
  },
  {
    what: 'What was done here, by whom and when',
    why: 'So that nothing about money or filing can be changed unseen',
    basis: 'Legitimate interests in security; the law, for records',
    howLong: 'Six years',
  },
  {
    what: 'Messages that you write to us',
    why: 'To answer you',
    basis: 'Legitimate interests in answering',
    howLong: 'Two years after the last one',
  },
];

export type Recipient = { readonly who: string; readonly what: string };

export const RECIPIENTS: readonly Recipient[] = [
  { who: 'HMRC', what: 'The returns you file, and the facts of your browser and connection that the law asks for' },
  { who: 'TrueLayer', what: 'Your name, bank account and amount, to pay you and to open the collection account' },
  { who: 'Companies House', what: 'The company name or number you look up' },
  {
    who: 'Our identity check provider',
    what: 'Your name and email address; your documents go to it directly, and we see only the result',
  },
  { who: 'Twilio', what: 'Your mobile number, to send a code' },
  { who: 'Google, Microsoft, Xero, Intuit, FreeAgent', what: 'Only if you sign in with them: that you did' },
  { who: 'HubSpot', what: 'Only if you open the chat: your email address and what you write there' },
  { who: 'Google Analytics', what: 'Only if you allow it: which pages you open' },
];

export const RIGHTS: readonly string[] = [
  'see what we hold about you, and have a copy that a computer can read',
  'have what is wrong put right',
  'have it erased, where no law makes us keep it',
  'have us stop or limit a use, or object to one that rests on our legitimate interests',
  'take back a consent at any time; what was done before stays lawful',
  'have a person look at a decision that was made by rules alone',
];
