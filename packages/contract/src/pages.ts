/**
 * Every page of the portal, one line per screen, with paths below /portal. Used for the router, titles, headers and the server's response
 * (200, or 404 for other paths).
 */

/** Who may see a page. The page's requests are checked again by their own access rules. */
export type PageAccess = 'public' | 'signed_in' | 'operator' | 'enrolling';

/**
 * The header above a page (docs/product/specification.md section 2.6). `plain`, the default, has the logo and, where navigation is allowed,
 * a menu.
 */
export type PageHeaderKind = 'plain' | 'dashboard' | 'practitioner' | 'clients_portal' | 'operator';

export type Page = {
  readonly path: `/${string}`;
  readonly access: PageAccess;
  /** The part of the window title after the brand: "Tidewater Login". */
  readonly title: string;
  /** What this page is about, so that every page's title is distinct: "Tidewater OpenTax – Clients". */
  readonly section?: string;
  /** The component that shows the page. By default the page's own name with Screen: `practiceCalendar` -> PracticeCalendarScreen. */
  readonly screen?: `${string}Screen`;
  /** `landing`, `login`: separately prerendered documents, without the app shell. */
  readonly kind?: 'landing' | 'login';
  /** The kind of header; `plain` by default. */
  readonly header?: Exclude<PageHeaderKind, 'plain'>;
  /** Further paths of the same screen. */
  readonly otherPaths?: readonly `/${string}`[];
  /** The partner whose landing page this is: a name from the partner table (domain/partners). */
  readonly partner?: string;
  /** Set for pages that exist in development only; in production they are a 404. */
  readonly onlyInDevelopment?: true;
};

const INSTANT_VAT_TITLE = 'InstantVAT Refunds';
const OPEN_TAX_TITLE = 'OpenTax';

export const PAGES = {
  instantVatLanding: { path: '/v2/instant-vat', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing' },
  // Partner landing pages (docs/product/specification.md section 2.4).
  landingQuickbooks: { path: '/v2/quickbooks', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing', partner: 'quickbooks' },
  landingGofile: { path: '/v2/gofile', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing', partner: 'gofile' },
  landingSwoop: { path: '/v2/swoop', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing', partner: 'swoop' },
  landingAzets: { path: '/v2/azets', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing', partner: 'azets' },
  landingKashflow: { path: '/v2/kashflow', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing', partner: 'kashflow' },
  landingFreeagent: { path: '/freeagent', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing', partner: 'freeagent' },
  landingXero: { path: '/xero', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing', partner: 'xero' },
  landingMtdsorted: { path: '/mtdsorted', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing', partner: 'mtdsorted' },
  // Visitors referred by a partner take the same steps below signup/** (docs/product/decisions.md section 4). All steps are public pages
  // (docs/product/specification.md section 2.5), but their requests are not.
  stepAbout: {
    path: '/v2/instant-vat/steps/about',
    access: 'public',
    title: INSTANT_VAT_TITLE,
    section: 'About you',
    screen: 'AboutScreen',
    otherPaths: ['/v2/instant-vat/signup/about'],
  },
  stepCompany: {
    path: '/v2/instant-vat/steps/company',
    access: 'public',
    title: INSTANT_VAT_TITLE,
    section: 'Your company',
    screen: 'CompanyScreen',
    otherPaths: ['/v2/instant-vat/signup/company'],
  },
  stepGovernmentGateway: {
    path: '/v2/instant-vat/steps/government-gateway',
    access: 'public',
    title: INSTANT_VAT_TITLE,
    section: 'Connect HMRC',
    screen: 'GovernmentGatewayScreen',
    otherPaths: ['/v2/instant-vat/signup/government-gateway'],
  },
  stepBookkeeping: {
    path: '/v2/instant-vat/steps/bookkeeping',
    access: 'public',
    title: INSTANT_VAT_TITLE,
    section: 'Your books',
    screen: 'BookkeepingScreen',
    otherPaths: ['/v2/instant-vat/signup/bookkeeping'],
  },
  stepBankAccount: {
    path: '/v2/instant-vat/steps/bank-account',
    access: 'public',
    title: INSTANT_VAT_TITLE,
    section: 'Bank account',
    screen: 'BankAccountScreen',
    otherPaths: ['/v2/instant-vat/signup/bank-account'],
  },
  stepIdentity: {
    path: '/v2/instant-vat/steps/identity',
    access: 'public',
    title: INSTANT_VAT_TITLE,
    section: 'Verify your identity',
    screen: 'IdentityStepScreen',
    otherPaths: ['/v2/instant-vat/signup/identity'],
  },
  dashboard: { path: '/v2/instant-vat/dashboard', access: 'signed_in', title: INSTANT_VAT_TITLE, section: 'Overview', header: 'dashboard' },
  vatReturns: {
    path: '/v2/instant-vat/dashboard/returns',
    access: 'signed_in',
    title: INSTANT_VAT_TITLE,
    section: 'VAT returns',
    header: 'dashboard',
  },
  vatReturn: {
    path: '/v2/instant-vat/dashboard/vat-return',
    access: 'signed_in',
    title: INSTANT_VAT_TITLE,
    section: 'VAT return',
    header: 'dashboard',
  },
  advance: {
    path: '/v2/instant-vat/dashboard/advance',
    access: 'signed_in',
    title: INSTANT_VAT_TITLE,
    section: 'Early refund',
    header: 'dashboard',
  },
  /** A letter about a refund that HMRC repaid late or in part, as it was emailed. */
  shortfallLetter: {
    path: '/v2/instant-vat/dashboard/letter',
    access: 'signed_in',
    title: INSTANT_VAT_TITLE,
    section: 'Letter',
    header: 'dashboard',
  },
  /** Our own page, which the navigation needs: the specification has no page for the books after the sign-up. */
  books: { path: '/v2/instant-vat/dashboard/books', access: 'signed_in', title: INSTANT_VAT_TITLE, section: 'Books', header: 'dashboard' },
  /** Our own page: receipts, offers, agreements, statements and journals. */
  documents: {
    path: '/v2/instant-vat/dashboard/documents',
    access: 'signed_in',
    title: INSTANT_VAT_TITLE,
    section: 'Documents',
    header: 'dashboard',
  },
  linkHmrcAccount: {
    path: '/v2/instant-vat/dashboard/link-hmrc-account',
    access: 'signed_in',
    title: INSTANT_VAT_TITLE,
    section: 'HMRC connection',
    screen: 'LinkHmrcScreen',
    header: 'dashboard',
  },
  /** The demo and everything below it are public (docs/product/specification.md section 2.5). /help below it shows the help page. */
  demo: {
    path: '/v2/instant-vat/demo',
    access: 'public',
    title: INSTANT_VAT_TITLE,
    section: 'Demo',
    otherPaths: [
      '/v2/instant-vat/demo/vat-return',
      '/v2/instant-vat/demo/advance',
      '/v2/instant-vat/demo/link-hmrc-account',
      '/v2/instant-vat/demo/your-own-account',
    ],
  },
  /** Explains to visitors how filing with us works; a trader's own return is `vatReturn`. */
  vatReturnInfo: { path: '/v2/instant-vat/vat-return', access: 'public', title: INSTANT_VAT_TITLE, section: 'Filing a VAT return' },
  instantVatHelp: { path: '/v2/instant-vat/help', access: 'public', title: INSTANT_VAT_TITLE, section: 'Help', screen: 'HelpScreen' },
  /** The help page also covers every other path that ends in /help (docs/product/specification.md section 2.4): see findPage. */
  help: { path: '/help', access: 'public', title: INSTANT_VAT_TITLE, section: 'Help' },
  contact: { path: '/contact', access: 'public', title: INSTANT_VAT_TITLE, section: 'Contact us' },
  privacy: { path: '/privacy', access: 'public', title: INSTANT_VAT_TITLE, section: 'Privacy' },
  cookieChoices: { path: '/privacy/cookies', access: 'public', title: INSTANT_VAT_TITLE, section: 'Cookies' },
  /** A partner's referrals by stage, for its contacts. */
  partnerReferrals: { path: '/partner', access: 'signed_in', title: INSTANT_VAT_TITLE, section: 'Referrals', screen: 'ReferralsScreen' },
  pendingTasks: { path: '/pending-tasks', access: 'signed_in', title: INSTANT_VAT_TITLE, section: 'To do' },
  connections: { path: '/connections', access: 'signed_in', title: INSTANT_VAT_TITLE, section: 'Connections' },
  practiceDashboard: {
    path: '/v2/open-tax/dashboard',
    access: 'signed_in',
    title: OPEN_TAX_TITLE,
    section: 'Today',
    header: 'practitioner',
  },
  practiceClients: {
    path: '/v2/open-tax/clients',
    access: 'signed_in',
    title: OPEN_TAX_TITLE,
    section: 'Clients',
    screen: 'ClientsScreen',
    header: 'practitioner',
  },
  clientDashboard: {
    path: '/v2/open-tax/client-dashboard',
    access: 'signed_in',
    title: OPEN_TAX_TITLE,
    section: 'Client',
    header: 'practitioner',
  },
  practiceCalendar: {
    path: '/v2/open-tax/calendar',
    access: 'signed_in',
    title: OPEN_TAX_TITLE,
    section: 'Calendar',
    header: 'practitioner',
  },
  login: { path: '/login', access: 'public', title: 'Login', kind: 'login' },
  loginV2: { path: '/v2/auth/login', access: 'public', title: 'Login', kind: 'login' },
  checkMail: { path: '/v2/auth/check-mail', access: 'public', title: 'Login', section: 'Check your email' },
  useLink: { path: '/v2/auth/link', access: 'public', title: 'Login', section: 'Confirm' },
  secondFactor: { path: '/v2/auth/second-factor', access: 'public', title: 'Login', section: 'Security code' },
  resetPassword: { path: '/v2/auth/reset-password', access: 'public', title: 'Login', section: 'Reset password', screen: 'ResetScreen' },
  /** Target of a password reset link: `?token=`. */
  newPassword: { path: '/v2/auth/new-password', access: 'public', title: 'Login', section: 'New password' },
  profile: { path: '/v2/instant-vat/profile', access: 'signed_in', title: INSTANT_VAT_TITLE, section: 'Profile' },
  /** Verification of the email address and mobile number. */
  verification: { path: '/verification', access: 'signed_in', title: INSTANT_VAT_TITLE, section: 'Verification' },
  verifyIdentity: { path: '/verify-identity', access: 'signed_in', title: INSTANT_VAT_TITLE, section: 'Identity check' },
  verifyIdentityNextSteps: {
    path: '/verify-identity/next-steps',
    access: 'signed_in',
    title: INSTANT_VAT_TITLE,
    section: 'Identity check result',
    screen: 'IdentityNextStepsScreen',
  },
  getStarted: {
    path: '/get-started/welcome',
    access: 'signed_in',
    title: INSTANT_VAT_TITLE,
    section: 'Get started',
    screen: 'WelcomeScreen',
  },
  company: { path: '/company', access: 'signed_in', title: INSTANT_VAT_TITLE, section: 'Companies', screen: 'CompaniesScreen' },
  logout: { path: '/logout', access: 'public', title: 'Login', section: 'Logged out' },
  home: { path: '/home', access: 'signed_in', title: INSTANT_VAT_TITLE, section: 'Home' },
  // OpenTax sign-up for a practice (docs/product/specification.md section 2.3). Steps are public pages, but their requests are not.
  openTaxLanding: { path: '/v2/open-tax', access: 'public', title: OPEN_TAX_TITLE, kind: 'landing' },
  openTaxSignup: {
    path: '/v2/open-tax/signup',
    access: 'public',
    title: OPEN_TAX_TITLE,
    section: 'Sign up',
    screen: 'OpenTaxSignUpScreen',
  },
  practiceStepPractice: {
    path: '/v2/open-tax/steps/practice',
    access: 'public',
    title: OPEN_TAX_TITLE,
    section: 'Your practice',
    screen: 'PracticeScreen',
  },
  practiceStepArn: {
    path: '/v2/open-tax/steps/arn',
    access: 'public',
    title: OPEN_TAX_TITLE,
    section: 'Agent reference number',
    screen: 'ArnScreen',
  },
  practiceStepHmrc: {
    path: '/v2/open-tax/steps/hmrc',
    access: 'public',
    title: OPEN_TAX_TITLE,
    section: 'Connect HMRC',
    screen: 'HmrcScreen',
  },
  practiceStepTaxes: { path: '/v2/open-tax/steps/taxes', access: 'public', title: OPEN_TAX_TITLE, section: 'Taxes', screen: 'TaxesScreen' },
  practiceStepImport: {
    path: '/v2/open-tax/steps/import',
    access: 'public',
    title: OPEN_TAX_TITLE,
    section: 'Your clients',
    screen: 'ImportScreen',
  },
  practiceStepTeam: { path: '/v2/open-tax/steps/team', access: 'public', title: OPEN_TAX_TITLE, section: 'Team', screen: 'TeamScreen' },
  openTaxXeroDeclined: {
    path: '/v2/open-tax/xero-declined',
    access: 'public',
    title: OPEN_TAX_TITLE,
    section: 'Xero',
    screen: 'XeroDeclinedScreen',
  },
  openTaxContact: {
    path: '/v2/open-tax/contact-us',
    access: 'public',
    title: OPEN_TAX_TITLE,
    section: 'Contact us',
    screen: 'ContactScreen',
  },
  openTaxFreeagent: {
    path: '/v2/open-tax/partners/freeagent',
    access: 'public',
    title: OPEN_TAX_TITLE,
    section: 'FreeAgent',
    screen: 'FreeagentScreen',
  },
  openTaxNomi: { path: '/v2/open-tax/partners/nomi', access: 'public', title: OPEN_TAX_TITLE, section: 'Nomi', screen: 'NomiScreen' },
  clientImport: {
    path: '/v2/open-tax/clients/import',
    access: 'signed_in',
    title: OPEN_TAX_TITLE,
    section: 'Import clients',
    header: 'practitioner',
  },
  /** PAYE and corporation tax statements that the practice exports from HMRC's pages. */
  taxStatements: {
    path: '/v2/open-tax/clients/statements',
    access: 'signed_in',
    title: OPEN_TAX_TITLE,
    section: 'Tax statements',
    header: 'practitioner',
  },
  /** Each further path is a tab. */
  practiceSettings: {
    path: '/v2/open-tax/settings',
    access: 'signed_in',
    title: OPEN_TAX_TITLE,
    section: 'Settings',
    screen: 'SettingsScreen',
    header: 'practitioner',
    otherPaths: ['/v2/open-tax/settings/practice', '/v2/open-tax/settings/roles', '/v2/open-tax/settings/connections'],
  },
  adminQueues: { path: '/admin', access: 'operator', title: 'Operators', section: 'Desk', screen: 'DeskScreen', header: 'operator' },
  adminPromise: {
    path: '/admin/promise',
    access: 'operator',
    title: 'Operators',
    section: 'Promise',
    screen: 'PromiseScreen',
    header: 'operator',
  },
  adminExposure: {
    path: '/admin/exposure',
    access: 'operator',
    title: 'Operators',
    section: 'Exposure',
    screen: 'ExposureScreen',
    header: 'operator',
  },
  adminCompanies: {
    path: '/admin/companies',
    access: 'operator',
    title: 'Operators',
    section: 'Companies',
    screen: 'OperatorCompaniesScreen',
    header: 'operator',
  },
  adminCompany: {
    path: '/admin/company',
    access: 'operator',
    title: 'Operators',
    section: 'Company',
    screen: 'OperatorCompanyScreen',
    header: 'operator',
  },
  adminReconciliation: {
    path: '/admin/reconciliation',
    access: 'operator',
    title: 'Operators',
    section: 'Reconciliation',
    screen: 'ReconciliationScreen',
    header: 'operator',
  },
  adminMessages: {
    path: '/admin/messages',
    access: 'operator',
    title: 'Operators',
    section: 'Messages',
    screen: 'MessagesScreen',
    header: 'operator',
  },
  adminJobs: { path: '/admin/jobs', access: 'operator', title: 'Operators', section: 'Jobs', screen: 'JobsScreen', header: 'operator' },
  adminAudit: { path: '/admin/audit', access: 'operator', title: 'Operators', section: 'Audit', screen: 'AuditScreen', header: 'operator' },
  adminHealth: {
    path: '/admin/health',
    access: 'operator',
    title: 'Operators',
    section: 'Health',
    screen: 'HealthScreen',
    header: 'operator',
  },
  adminAdvance: {
    path: '/admin/advance',
    access: 'operator',
    title: 'Operators',
    section: 'Advance',
    screen: 'OperatorAdvanceScreen',
    header: 'operator',
  },
  adminShortfalls: {
    path: '/admin/shortfalls',
    access: 'operator',
    title: 'Operators',
    section: 'Shortfalls',
    screen: 'ShortfallsScreen',
    header: 'operator',
  },
  adminShortfall: {
    path: '/admin/shortfall',
    access: 'operator',
    title: 'Operators',
    section: 'Shortfall',
    screen: 'ShortfallScreen',
    header: 'operator',
  },
  adminPartners: {
    path: '/admin/partners',
    access: 'operator',
    title: 'Operators',
    section: 'Partners',
    screen: 'PartnersScreen',
    header: 'operator',
  },
  adminLedger: {
    path: '/admin/ledger',
    access: 'operator',
    title: 'Operators',
    section: 'Ledger',
    screen: 'LedgerScreen',
    header: 'operator',
  },
  adminPeople: {
    path: '/admin/people',
    access: 'operator',
    title: 'Operators',
    section: 'People',
    screen: 'OperatorPeopleScreen',
    header: 'operator',
  },
  /** Where an operator sets up or shows the second factor, before the other pages open. For everyone else it does not exist. */
  adminEnrolment: {
    path: '/admin/enrolment',
    access: 'enrolling',
    title: 'Operators',
    section: 'Second factor',
    screen: 'EnrolmentScreen',
  },
  adminScreening: {
    path: '/admin/screening',
    access: 'operator',
    title: 'Operators',
    section: 'Screening',
    screen: 'ScreeningScreen',
    header: 'operator',
  },
  /** Shows every UI component in each of its states. */
  devComponents: {
    path: '/dev/components',
    access: 'public',
    title: INSTANT_VAT_TITLE,
    section: 'Components',
    screen: 'ComponentsScreen',
    onlyInDevelopment: true,
  },
} as const satisfies Record<string, Page>;

export type PageName = keyof typeof PAGES;

/** Prerendered pages outside the app. */
export type LandingPageName = { [Name in PageName]: (typeof PAGES)[Name] extends { kind: 'landing' } ? Name : never }[PageName];

/** All paths of a page: its main path, then the others. */
export function listPagePaths(page: Page): readonly string[] {
  return [page.path, ...(page.otherPaths ?? [])];
}

/** The page at a path below /portal; a trailing slash is allowed. */
export function findPage(path: string): (Page & { readonly name: PageName }) | undefined {
  const normalisedPath = path.length > 1 ? path.replace(/\/+$/, '') : path;
  for (const [name, page] of Object.entries(PAGES)) {
    if (listPagePaths(page).includes(normalisedPath)) return { ...page, name: name as PageName };
  }
  // Any path ending in /help is public and shows the help page (docs/product/specification.md sections 2.4 and 2.5).
  return normalisedPath.endsWith(PAGES.help.path) ? { ...PAGES.help, name: 'help', title: productTitleAt(normalisedPath) } : undefined;
}

/** The product name for the window title of a path that is not a page. */
export function productTitleAt(path: string): string {
  return isOpenTaxPath(path) ? OPEN_TAX_TITLE : INSTANT_VAT_TITLE;
}

/** Path of OpenTax's help. It has no page of its own, like any other path ending in /help. */
export const OPEN_TAX_HELP = `${PAGES.openTaxLanding.path}${PAGES.help.path}` as const;

/** Whether a path below /portal belongs to OpenTax. */
export function isOpenTaxPath(path: string): boolean {
  const { path: openTax } = PAGES.openTaxLanding;
  return path === openTax || path.startsWith(`${openTax}/`);
}

/** A window title: "Tidewater OpenTax – Clients – Oakline". The subject is the company or practice. */
export function formatPageTitle(brand: string, page: Pick<Page, 'title' | 'section'>, subject?: string): string {
  return [`${brand} ${page.title}`, page.section, subject].filter((part) => part !== undefined && part !== '').join(' – ');
}
