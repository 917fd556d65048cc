/** InstantVAT: landing pages, sign-up, the trader's dashboard and the demo. */
import { INSTANT_VAT_TITLE, type Page } from './page.ts';

const PUBLIC = { access: 'public', title: INSTANT_VAT_TITLE } as const;
const LANDING = { ...PUBLIC, kind: 'landing' } as const;
const DASHBOARD = { access: 'signed_in', title: INSTANT_VAT_TITLE, header: 'dashboard' } as const;

export const TRADER_PAGES = {
  instantVatLanding: { ...LANDING, path: '/v2/instant-vat' },
  // Partner landing pages (docs/product/specification.md section 2.4).
  landingQuickbooks: { ...LANDING, path: '/v2/quickbooks', partner: 'quickbooks' },
  landingGofile: { ...LANDING, path: '/v2/gofile', partner: 'gofile' },
  landingSwoop: { ...LANDING, path: '/v2/swoop', partner: 'swoop' },
  landingAzets: { ...LANDING, path: '/v2/azets', partner: 'azets' },
  landingKashflow: { ...LANDING, path: '/v2/kashflow', partner: 'kashflow' },
  landingFreeagent: { ...LANDING, path: '/freeagent', partner: 'freeagent' },
  landingXero: { ...LANDING, path: '/xero', partner: 'xero' },
  landingMtdsorted: { ...LANDING, path: '/mtdsorted', partner: 'mtdsorted' },
  // Visitors referred by a partner follow the same steps below signup/** (docs/product/decisions.md section 4). All steps are public pages
  // (docs/product/specification.md section 2.5), but their requests aren't.
  stepAbout: {
    ...PUBLIC,
    path: '/v2/instant-vat/steps/about',
    section: 'About you',
    screen: 'AboutScreen',
    otherPaths: ['/v2/instant-vat/signup/about'],
  },
  stepCompany: {
    ...PUBLIC,
    path: '/v2/instant-vat/steps/company',
    section: 'Your company',
    screen: 'CompanyScreen',
    otherPaths: ['/v2/instant-vat/signup/company'],
  },
  stepGovernmentGateway: {
    ...PUBLIC,
    path: '/v2/instant-vat/steps/government-gateway',
    section: 'Connect HMRC',
    screen: 'GovernmentGatewayScreen',
    otherPaths: ['/v2/instant-vat/signup/government-gateway'],
  },
  stepBookkeeping: {
    ...PUBLIC,
    path: '/v2/instant-vat/steps/bookkeeping',
    section: 'Your books',
    screen: 'BookkeepingScreen',
    otherPaths: ['/v2/instant-vat/signup/bookkeeping'],
  },
  stepBankAccount: {
    ...PUBLIC,
    path: '/v2/instant-vat/steps/bank-account',
    section: 'Bank account',
    screen: 'BankAccountScreen',
    otherPaths: ['/v2/instant-vat/signup/bank-account'],
  },
  stepIdentity: {
    ...PUBLIC,
    path: '/v2/instant-vat/steps/identity',
    section: 'Verify your identity',
    screen: 'IdentityStepScreen',
    otherPaths: ['/v2/instant-vat/signup/identity'],
  },
  dashboard: { ...DASHBOARD, path: '/v2/instant-vat/dashboard', section: 'Overview' },
  vatReturns: { ...DASHBOARD, path: '/v2/instant-vat/dashboard/returns', section: 'VAT returns' },
  vatReturn: { ...DASHBOARD, path: '/v2/instant-vat/dashboard/vat-return', section: 'VAT return' },
  advance: { ...DASHBOARD, path: '/v2/instant-vat/dashboard/advance', section: 'Early refund' },
  /** A letter about a refund that HMRC repaid late or only in part, as it was emailed. */
  shortfallLetter: { ...DASHBOARD, path: '/v2/instant-vat/dashboard/letter', section: 'Letter' },
  /** A page of our own, for the navigation: the specification doesn't have a page for the books after sign-up. */
  books: { ...DASHBOARD, path: '/v2/instant-vat/dashboard/books', section: 'Books' },
  /** A page of our own: receipts, offers, agreements, statements and journals. */
  documents: { ...DASHBOARD, path: '/v2/instant-vat/dashboard/documents', section: 'Documents' },
  /** A page of our own: who has access to the company, and what each person may do. */
  companyPeople: { ...DASHBOARD, path: '/v2/instant-vat/dashboard/people', section: 'People' },
  linkHmrcAccount: {
    ...DASHBOARD,
    path: '/v2/instant-vat/dashboard/link-hmrc-account',
    section: 'HMRC connection',
    screen: 'LinkHmrcScreen',
  },
  /** The demo and everything below it are public (docs/product/specification.md section 2.5). /help below the demo shows the help page. */
  demo: {
    ...PUBLIC,
    path: '/v2/instant-vat/demo',
    section: 'Demo',
    otherPaths: [
      '/v2/instant-vat/demo/vat-return',
      '/v2/instant-vat/demo/advance',
      '/v2/instant-vat/demo/link-hmrc-account',
      '/v2/instant-vat/demo/your-own-account',
    ],
  },
  /** Explains to visitors how filing with us works. A trader's own return is `vatReturn`. */
  vatReturnInfo: { ...PUBLIC, path: '/v2/instant-vat/vat-return', section: 'Filing a VAT return' },
  instantVatHelp: { ...PUBLIC, path: '/v2/instant-vat/help', section: 'Help', screen: 'HelpScreen' },
} as const satisfies Record<string, Page>;
