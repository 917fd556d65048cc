/**
 * The data policy as data: what we store about people, why, who sees it and for how long. The lawful bases are those in Article 6(1) of the
 * UK GDPR.
 */

import { RETENTION_YEARS } from '@portal/domain/retention/retention-periods.ts';

export type PersonalDataUse = { readonly what: string; readonly why: string; readonly basis: string; readonly howLong: string };

const NUMBER_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Derived from the periods that the retention job uses. */
const RECORDS_YEARS = NUMBER_WORDS[RETENTION_YEARS.records] ?? '';
const IDENTITY_YEARS = capitalise(NUMBER_WORDS[RETENTION_YEARS.identity] ?? '');

export const PERSONAL_DATA_USES: readonly PersonalDataUse[] = [
  {
    what: 'Your name, email address and phone number',
    why: 'To run your account and contact you about your refunds. Afterwards, because returns and payments contain your name',
    basis: 'Contract, and legitimate interests in explaining our records',
    howLong: `Until you close your account. Your name and email are kept for ${RECORDS_YEARS} more years if you worked for a company or practice here`,
  },
  {
    what: 'How you log in: your password’s hash, passkeys, authenticator app, connected services',
    why: 'To let only you into your account',
    basis: 'Contract',
    howLong: 'Until you close your account',
  },
  {
    what: 'Your company’s name, company number, VAT number, and officers listed at Companies House',
    why: 'To know whose returns and refunds they are',
    basis: 'Contract',
    howLong: `Until the company’s account is closed, then ${RECORDS_YEARS} years`,
  },
  {
    what: 'Your VAT figures: the books you upload, returns, receipts, and what HMRC says is owed and paid',
    why: 'To prepare and file your returns and to price a refund',
    basis: 'Contract, and legal obligation for records',
    howLong: `Until the company’s account is closed, then ${RECORDS_YEARS} years, which the law requires for VAT records`,
  },
  {
    what: 'Your bank account, advances, agreements and payments',
    why: 'To pay you and keep our accounts',
    basis: 'Contract, and legal obligation for records',
    howLong: `Until the company’s account is closed, then ${RECORDS_YEARS} years. Amounts and dates in our accounts are never deleted`,
  },
  {
    what: 'The result of your identity check, and your month of birth',
    why: 'To stop anyone else selling your refund',
    basis: 'Legal obligation (money laundering rules)',
    howLong: `${IDENTITY_YEARS} years after your account, or the last company you worked for, was closed`,
  },
  {
    what: 'Screening of the company and people connected with it against public sanctions lists',
    why: 'To comply with sanctions law and prevent money laundering',
    basis: 'Legal obligation (money laundering rules)',
    howLong: `${IDENTITY_YEARS} years after the last advance changed`,
  },
  {
    what: 'Your browser and connection: IP address, time zone, screen size and a device number',
    why: 'We must send them to HMRC with each request to prevent fraud, and we show you where you’re logged in',
    basis: 'Legal obligation, and legitimate interests in security',
    howLong:
      'Until the session ends. The record that you’ve used a browser is kept for two years. What we sent to HMRC is kept with the return',
  },
  {
    what: 'What was done here, who did it, when and from which IP address',
    why: 'So that every change to money or filing can be traced',
    basis: 'Legitimate interests in security, and legal obligation for records',
    howLong: `${capitalise(RECORDS_YEARS)} years after the account was closed. Then only the action, its time and an account ID are kept, without values or addresses`,
  },
  {
    what: 'If you’re a client of an accounting practice: what the practice stores about you',
    why: 'The practice decides this; we store it on its instructions',
    basis: 'Set by the practice. Ask them for details',
    howLong: `Until the practice closes its account, or ${RECORDS_YEARS} years after it marked you as a former client`,
  },
  {
    what: 'Messages you send us',
    why: 'To reply to you',
    basis: 'Legitimate interests in replying',
    howLong: 'Two years after we last dealt with it, or until you close your account if we’ve answered; six years for a complaint',
  },
  {
    what: 'If your practice subscribes: its billing contact, address, payment method’s last digits, invoices and payments',
    why: 'To charge for the subscription and keep our VAT records',
    basis: 'Contract, and legal obligation for records',
    howLong: 'Until the practice closes its account. Our invoices and their payments are never deleted',
  },
];

export type Recipient = { readonly who: string; readonly what: string };

export const RECIPIENTS: readonly Recipient[] = [
  { who: 'HMRC', what: 'The returns you file, and the details of your browser and connection that the law requires' },
  { who: 'TrueLayer', what: 'Your name, bank account and the amount, to pay you and open the collection account' },
  {
    who: 'GoCardless',
    what: 'If you set up a Direct Debit: the company’s name, your email address and the amounts. Your bank details go to them directly',
  },
  { who: 'Modulr', what: 'The name, sort code and account number you enter, to check that they belong together' },
  {
    who: 'Our screening provider',
    what: 'The names of the company and of people connected with it, to compare them with sanctions lists',
  },
  { who: 'Stripe', what: 'If your practice subscribes: its name, billing email and address. Your card details go to them directly' },
  {
    who: 'A language model, if your practice’s administrator agreed to it',
    what: 'The wording of a draft, without names, figures, dates and references',
  },
  { who: 'Companies House', what: 'The company name or number you search for' },
  {
    who: 'Our identity check provider',
    what: 'Your name and email address. You send your documents to them directly, and we only see the result',
  },
  { who: 'Twilio', what: 'Your mobile number, to send a code' },
  { who: 'Google, Microsoft, Xero, Intuit, FreeAgent', what: 'If you log in with them, the fact that you’ve done so' },
  { who: 'HubSpot', what: 'If you open the chat: your email address and what you write there' },
  { who: 'Google Analytics', what: 'If you allow it: which pages you open' },
];

export const RIGHTS: readonly string[] = [
  'see the data we hold about you, and get a copy in a machine-readable format',
  'have inaccurate data corrected',
  'have your data erased, unless the law requires us to keep it',
  'stop or limit how we use it, or object to a use that relies on our legitimate interests',
  'withdraw your consent at any time (what we did before stays lawful)',
  'have someone review a decision made only by automated rules',
];

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
