/** The partners. To add one, add a row here and, if it has its own address, a line in contract/pages.ts. */
import { ORGANIC } from './partner-name.ts';
import type { LandingCopy, Partner } from './partner.ts';

/** Fee rates: 1% of the refund, 2% for swoop (docs/product/specification.md sections 1 and 9). */
const STANDARD_BPS = 100;
const SWOOP_BPS = 200;

/** Consent text for partners who see the stage of a referral but no amounts (docs/product/decisions.md section 8). */
const stagesOnlyConsent = (logoText: string): string =>
  `${logoText} sees only that your company signed up and how far its refund has come, never an amount. You can sign up without ${logoText} at any time, on the same terms.`;

const PAYOUT_STEP = {
  title: 'Take the offer, or not',
  text: 'We pay the refund less our fee to your bank account. HMRC repays us later.',
} as const;

/** A bookkeeping partner; its visitors upload their books first. */
function createBookkeepingPartner(name: string, logoText: string, headline: string): Partner {
  return {
    name,
    logoText,
    kind: 'bookkeeping',
    product: 'instant_vat',
    buttons: 'named_provider_first',
    booksStep: 'before_hmrc',
    feeRateBps: STANDARD_BPS,
    consentText: stagesOnlyConsent(logoText),
    copy: {
      headline,
      lead: `You keep your books in ${logoText}. We work out your VAT return from them, file it with HMRC, and pay your refund in as little as 24 hours.`,
      steps: [
        { title: `Bring your ${logoText} books`, text: 'We compute the nine boxes and show every transaction behind each box.' },
        { title: 'Connect HMRC', text: 'You give permission on HMRC’s own page. We never see your password.' },
        { title: 'File with one press', text: 'You check the figures and make the declaration. Nothing is filed without you.' },
        PAYOUT_STEP,
      ],
      description: `VAT refunds for ${logoText} users in as little as 24 hours, always at least 3 working days faster. 1% of the refund, minimum £5.`,
    },
    referralOwner: 'Bookkeeping partnerships',
  };
}

/** A bridging partner. Its visitors file there, so we need only the VAT number and HMRC's permission. */
function createBridgingPartner(name: string, logoText: string): Partner {
  return {
    name,
    logoText,
    kind: 'bridging',
    product: 'instant_vat',
    buttons: 'named_provider_first',
    booksStep: 'last',
    feeRateBps: STANDARD_BPS,
    consentText: stagesOnlyConsent(logoText),
    copy: {
      headline: `You file with ${logoText}. Get your VAT refund sooner`,
      lead: `You have filed your VAT return with ${logoText}. Give us your VAT number and HMRC’s permission: we find the return at HMRC and pay its refund in as little as 24 hours.`,
      steps: [
        { title: 'Tell us your VAT number', text: 'We check it with HMRC at once.' },
        { title: 'Connect HMRC', text: 'You give permission on HMRC’s own page. We never see your password.' },
        {
          title: 'See the price at once',
          text: `We find the return that you filed with ${logoText}. While HMRC still owes its refund, the offer names it, our fee and what you get.`,
        },
        PAYOUT_STEP,
      ],
      description: `VAT refunds for ${logoText} users in as little as 24 hours, always at least 3 working days faster. 1% of the refund, minimum £5.`,
    },
    referralOwner: 'Bridging software partnerships',
  };
}

/** A partner for practices, which bring their clients as a list; the copy matches OpenTax's own pages. */
function createClientListPartner(name: string, logoText: string): Partner {
  return {
    ...createBookkeepingPartner(name, logoText, `Your ${logoText} clients, all taxes in one place`),
    product: 'open_tax',
    consentText: `You choose which clients of your ${logoText} list come over. Nothing is written back to ${logoText}.`,
    copy: {
      headline: `Your ${logoText} clients, all taxes in one place`,
      lead: `Export your client list from ${logoText} and see what every client owes, is owed and must file, per tax.`,
      steps: [
        { title: `Export the list from ${logoText}`, text: 'A file with names and tax references.' },
        { title: 'Check before anything is kept', text: 'A dry run shows what is new, what matched and what is ambiguous.' },
        { title: 'Undo within 24 hours', text: 'An import that went wrong is taken back: your clients are as they were.' },
      ],
      description: `Import your ${logoText} client list and see VAT, PAYE, corporation tax and self assessment for every client in one place.`,
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
  buttons: 'named_provider_first',
  booksStep: 'after_hmrc',
  feeRateBps: SWOOP_BPS,
  consentText:
    'Swoop is a broker and introduces you to us. If you take an offer, our fee is 2% of the refund, at least £5, and we pay Swoop a commission out of that fee; you pay nothing on top of it. Without a broker our fee is 1%. Ask Swoop or us for the amount at any time. Swoop sees your company’s name and how far its refund has come, never an amount.',
  copy: {
    headline: 'Your VAT refund as working capital, in as little as 24 hours',
    lead: 'Swoop introduced us. We buy the VAT refund that HMRC owes you. It isn’t a loan, and there are no monthly payments.',
    steps: [
      { title: 'Tell us your VAT number', text: 'We check it with HMRC at once.' },
      { title: 'Connect HMRC and your books', text: 'You give permission on HMRC’s own page. We work out and file your return.' },
      { title: 'See the price first', text: 'The offer names the refund, our fee and what you get, to the penny.' },
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
  buttons: 'named_provider_first',
  booksStep: 'after_hmrc',
  feeRateBps: STANDARD_BPS,
  consentText:
    'Azets is set as your agent here, and stays your agent at HMRC: connecting us takes no permission away from it. As your agent it sees your company’s name and how far your refunds have come, never an amount. You can remove it in your profile at any time.',
  copy: {
    headline: 'VAT refunds for Azets clients, in as little as 24 hours',
    lead: 'Azets looks after your taxes. We pay your VAT refund early, so that you do not wait for HMRC.',
    steps: [
      { title: 'Tell us your VAT number', text: 'We check it with HMRC at once.' },
      { title: 'Connect HMRC', text: 'You give permission on HMRC’s own page. Azets keeps its own.' },
      { title: 'Add your books', text: 'A file that you or Azets export. We show every transaction behind each box.' },
      PAYOUT_STEP,
    ],
    description: 'VAT refunds for clients of Azets in as little as 24 hours, always at least 3 working days faster. 1% of the refund.',
  },
  referralOwner: 'Accountancy partnerships',
};

/** All partners: organic first, then InstantVAT's, then OpenTax's. */
export const PARTNERS: readonly Partner[] = [
  {
    name: ORGANIC,
    logoText: '',
    kind: 'organic',
    product: 'instant_vat',
    buttons: 'email_first',
    booksStep: 'after_hmrc',
    feeRateBps: STANDARD_BPS,
    consentText: '',
    copy: ORGANIC_COPY,
    referralOwner: 'Nobody',
  },
  createBookkeepingPartner('quickbooks', 'QuickBooks', 'Your books are in QuickBooks. Get your VAT refund sooner'),
  createBookkeepingPartner('xero', 'Xero', 'Your Xero books are ready. Get your VAT refund sooner'),
  createBookkeepingPartner('freeagent', 'FreeAgent', 'FreeAgent did the books. Get the VAT back sooner'),
  createBookkeepingPartner('kashflow', 'KashFlow', 'Keep your cash flowing: get your VAT refund sooner'),
  createBridgingPartner('gofile', 'GoFile'),
  createBridgingPartner('mtdsorted', 'MTDsorted'),
  SWOOP,
  AZETS,
  createClientListPartner('freeagent', 'FreeAgent'),
  createClientListPartner('nomi', 'Nomi'),
];
