/** The partners. To add one, add a row here and, if it has its own URL, a line in contract/pages/trader-pages.ts. */
import { BOOKS_PROVIDERS } from '../connected-books/books-providers.ts';
import { ORGANIC_PARTNER } from './partner-name.ts';
import type { LandingCopy, Partner } from './partner.ts';

/** Fee rates: 1% of the refund, 2% for swoop (docs/product/specification.md sections 1 and 9). */
const STANDARD_BPS = 100;
const SWOOP_BPS = 200;

/** Consent text for partners who see the stage of a referral but no amounts (docs/product/decisions.md section 8). */
const formatConsent = (logoText: string): string =>
  `${logoText} sees only that your company signed up and the stage of its refund. It never sees an amount. You can sign up without ${logoText} at any time, on the same terms.`;

const PAYOUT_STEP = {
  title: 'Accept or decline the offer',
  text: 'We pay the refund, less our fee, to your bank account. HMRC repays us later.',
} as const;

/** Bookkeeping partners whose books we read directly from their software. Visitors from other partners upload a file. */
const CONNECTED_PARTNERS: ReadonlySet<string> = new Set<string>(BOOKS_PROVIDERS);

/** Creates a bookkeeping partner; its visitors add their books first. */
function createBookkeepingPartner(name: string, logoText: string, headline: string): Partner {
  const booksStep = CONNECTED_PARTNERS.has(name)
    ? {
        title: `Connect your ${logoText} books`,
        text: 'Choose your organisation. We read its books, calculate the 9 boxes and show every document behind each box.',
      }
    : {
        title: `Upload your ${logoText} books`,
        text: `${logoText} can’t connect to services like ours, so you export a file. We calculate the 9 boxes and show every transaction behind each box.`,
      };
  return {
    name,
    logoText,
    kind: 'bookkeeping',
    product: 'instant_vat',
    buttonOrder: 'named_provider_first',
    booksStep: 'before_hmrc',
    feeRateBps: STANDARD_BPS,
    consentText: formatConsent(logoText),
    copy: {
      headline,
      lead: `Your books are already in ${logoText}. We work out your VAT return from them, file it with HMRC, and pay your refund in as little as 24 hours.`,
      steps: [
        booksStep,
        { title: 'Connect HMRC', text: 'You give permission on HMRC’s website. We never see your password.' },
        { title: 'File in one click', text: 'You check the figures and make the declaration. We never file without you.' },
        PAYOUT_STEP,
      ],
      description: `VAT refunds for ${logoText} users in as little as 24 hours, always at least 3 working days faster. 1% of the refund, minimum £5.`,
    },
    referralOwner: 'Bookkeeping partnerships',
  };
}

/** Creates a bridging partner. Its visitors file there, so we need only the VAT number and access to their VAT account at HMRC. */
function createBridgingPartner(name: string, logoText: string): Partner {
  return {
    name,
    logoText,
    kind: 'bridging',
    product: 'instant_vat',
    buttonOrder: 'named_provider_first',
    booksStep: 'last',
    feeRateBps: STANDARD_BPS,
    consentText: formatConsent(logoText),
    copy: {
      headline: `You file with ${logoText}. Get your VAT refund sooner`,
      lead: `You’ve filed your VAT return with ${logoText}. Give us your VAT number and access to your VAT account at HMRC. We’ll find the return and pay its refund in as little as 24 hours.`,
      steps: [
        { title: 'Enter your VAT number', text: 'We check it with HMRC straight away.' },
        { title: 'Connect HMRC', text: 'You give permission on HMRC’s website. We never see your password.' },
        {
          title: 'See the price straight away',
          text: `We find the return you filed with ${logoText}. If HMRC still owes you the refund, our offer shows the refund, our fee and what you get.`,
        },
        PAYOUT_STEP,
      ],
      description: `VAT refunds for ${logoText} users in as little as 24 hours, always at least 3 working days faster. 1% of the refund, minimum £5.`,
    },
    referralOwner: 'Bridging software partnerships',
  };
}

/** Creates a partner for practices, which upload their clients as a list; the copy matches OpenTax's own pages. */
function createClientListPartner(name: string, logoText: string): Partner {
  return {
    ...createBookkeepingPartner(name, logoText, `Your ${logoText} clients, all taxes in one place`),
    product: 'open_tax',
    consentText: `You choose which clients to import from your ${logoText} list. We don’t change anything in ${logoText}.`,
    copy: {
      headline: `Your ${logoText} clients, all taxes in one place`,
      lead: `Export your client list from ${logoText} and see what every client owes, is owed and must file for each tax.`,
      steps: [
        { title: `Export your list from ${logoText}`, text: 'You need a file with names and tax references.' },
        { title: 'Check before you import', text: 'A preview shows new clients, matches and any rows that need a decision.' },
        { title: 'Undo within 24 hours', text: 'If an import goes wrong, you can undo it and restore your clients as they were.' },
      ],
      description: `Import your ${logoText} client list and see VAT, PAYE, corporation tax and Self Assessment for every client in one place.`,
    },
    referralOwner: 'Practice partnerships',
  };
}

const ORGANIC_COPY: LandingCopy = {
  headline: 'Get your VAT refund in as little as 24 hours',
  lead: 'Always at least 3 working days faster than waiting for HMRC.',
  steps: [],
  description:
    'Get your UK VAT refund in as little as 24 hours, always at least 3 working days faster. We file your VAT return with HMRC and pay your refund in advance.',
};

const SWOOP: Partner = {
  name: 'swoop',
  logoText: 'Swoop',
  kind: 'broker',
  product: 'instant_vat',
  buttonOrder: 'named_provider_first',
  booksStep: 'after_hmrc',
  feeRateBps: SWOOP_BPS,
  consentText:
    'Swoop is a broker and introduces you to us. If you accept an offer, our fee is 2% of the refund, minimum £5, and we pay Swoop a commission out of that fee. You pay nothing extra. Without a broker, our fee is 1%. You can ask Swoop or us for the amount of the commission at any time. Swoop sees your company’s name and the stage of its refund. It never sees an amount.',
  copy: {
    headline: 'Your VAT refund as working capital, in as little as 24 hours',
    lead: 'Swoop introduced us. We buy the VAT refund that HMRC owes you. It isn’t a loan, and there are no monthly payments.',
    steps: [
      { title: 'Enter your VAT number', text: 'We check it with HMRC straight away.' },
      {
        title: 'Connect HMRC and your books',
        text: 'You give permission on HMRC’s website. We work out your return, and file it when you tell us to.',
      },
      { title: 'See the price first', text: 'Our offer shows the refund, our fee and what you get, to the penny.' },
      PAYOUT_STEP,
    ],
    description:
      'Turn the VAT refund that HMRC owes you into cash in as little as 24 hours. Introduced by Swoop: 2% of the refund, minimum £5.',
  },
  referralOwner: 'Broker partnerships',
};

const AZETS: Partner = {
  name: 'azets',
  logoText: 'Azets',
  kind: 'accountancy',
  product: 'instant_vat',
  buttonOrder: 'named_provider_first',
  booksStep: 'after_hmrc',
  feeRateBps: STANDARD_BPS,
  consentText:
    'Azets is your agent here and remains your agent at HMRC. Connecting us doesn’t affect its authorisation. As your agent, it sees your company’s name and the stage of your refunds. It never sees an amount. You can remove it in your profile at any time.',
  copy: {
    headline: 'VAT refunds for Azets clients, in as little as 24 hours',
    lead: 'Azets looks after your taxes. We pay your VAT refund early, so you don’t have to wait for HMRC.',
    steps: [
      { title: 'Enter your VAT number', text: 'We check it with HMRC straight away.' },
      { title: 'Connect HMRC', text: 'You give permission on HMRC’s website. Azets keeps its own authorisation.' },
      { title: 'Add your books', text: 'Upload a file exported by you or Azets. We show every transaction behind each box.' },
      PAYOUT_STEP,
    ],
    description: 'VAT refunds for clients of Azets in as little as 24 hours, always at least 3 working days faster. 1% of the refund.',
  },
  referralOwner: 'Accountancy partnerships',
};

/** All partners: organic first, then InstantVAT's, then OpenTax's. */
export const PARTNERS: readonly Partner[] = [
  {
    name: ORGANIC_PARTNER,
    logoText: '',
    kind: 'organic',
    product: 'instant_vat',
    buttonOrder: 'email_first',
    booksStep: 'after_hmrc',
    feeRateBps: STANDARD_BPS,
    consentText: '',
    copy: ORGANIC_COPY,
    referralOwner: 'None',
  },
  createBookkeepingPartner('quickbooks', 'QuickBooks', 'Your books are in QuickBooks. Get your VAT refund sooner'),
  createBookkeepingPartner('xero', 'Xero', 'Your Xero books are ready. Get your VAT refund sooner'),
  createBookkeepingPartner('freeagent', 'FreeAgent', 'Your books are in FreeAgent. Get your VAT refund sooner'),
  createBookkeepingPartner('kashflow', 'KashFlow', 'Keep your cash flowing: get your VAT refund sooner'),
  createBridgingPartner('gofile', 'GoFile'),
  createBridgingPartner('mtdsorted', 'MTDsorted'),
  SWOOP,
  AZETS,
  createClientListPartner('freeagent', 'FreeAgent'),
  createClientListPartner('nomi', 'Nomi'),
];
