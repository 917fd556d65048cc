/** Every page of the portal, below /portal: one line a screen. It feeds the router, the titles, the headers, and the server's answer (200, or 404 for a path that is not here). */

/** Who may see a page; the page's own calls are checked again by their access rules. */
export type PageAccess = 'public' | 'signed_in' | 'operator';

/** Which header stands above a page (specification 2.6). `plain` is the rule: the logo, and a menu where one may move about. */
export type PageHeaderKind = 'plain' | 'dashboard' | 'practitioner' | 'clients_portal' | 'operator';

export type Page = {
  readonly path: `/${string}`;
  readonly access: PageAccess;
  /** Follows the brand in the window's title: "Tidewater Login". */
  readonly title: string;
  /** The component that shows it; when not given, the page's own name with Screen: `practiceCalendar`, PracticeCalendarScreen. */
  readonly screen?: `${string}Screen`;
  /** `landing`, `login`: prerendered documents of their own, without the app's shell. */
  readonly kind?: 'landing' | 'login';
  /** `plain` when not given. */
  readonly header?: Exclude<PageHeaderKind, 'plain'>;
  /** Further addresses of the same screen. */
  readonly also?: readonly `/${string}`[];
  /** Whose entry page it is: a name of the partner table (domain/partners). */
  readonly partner?: string;
  /** Only where the portal is developed: in production nothing is here. */
  readonly onlyInDevelopment?: true;
};

const INSTANT_VAT_TITLE = 'InstantVAT Refunds';
const OPEN_TAX_TITLE = 'OpenTax';

export const PAGES = {
  instantVatLanding: { path: '/v2/instant-vat', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing' },
  // The partners' entry pages (specification 2.4).
  doorQuickbooks: { path: '/v2/quickbooks', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing', partner: 'quickbooks' },
  doorGofile: { path: '/v2/gofile', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing', partner: 'gofile' },
  doorSwoop: { path: '/v2/swoop', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing', partner: 'swoop' },
  doorAzets: { path: '/v2/azets', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing', partner: 'azets' },
  doorKashflow: { path: '/v2/kashflow', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing', partner: 'kashflow' },
  doorFreeagent: { path: '/freeagent', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing', partner: 'freeagent' },
  doorXero: { path: '/xero', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing', partner: 'xero' },
  doorMtdsorted: { path: '/mtdsorted', access: 'public', title: INSTANT_VAT_TITLE, kind: 'landing', partner: 'mtdsorted' },
  // A visitor sent by a partner takes the same steps below signup/** (product.md section 4). All steps are public pages (specification 2.5): their calls are not.
  stepAbout: {
    path: '/v2/instant-vat/steps/about',
    access: 'public',
    title: INSTANT_VAT_TITLE,
    screen: 'AboutScreen',
    also: ['/v2/instant-vat/signup/about'],
  },
  stepCompany: {
    path: '/v2/instant-vat/steps/company',
    access: 'public',
    title: INSTANT_VAT_TITLE,
    screen: 'CompanyScreen',
    also: ['/v2/instant-vat/signup/company'],
  },
  stepGovernmentGateway: {
    path: '/v2/instant-vat/steps/government-gateway',
    access: 'public',
    title: INSTANT_VAT_TITLE,
    screen: 'GovernmentGatewayScreen',
    also: ['/v2/instant-vat/signup/government-gateway'],
  },
  stepBookkeeping: {
    path: '/v2/instant-vat/steps/bookkeeping',
    access: 'public',
    title: INSTANT_VAT_TITLE,
    screen: 'BookkeepingScreen',
    also: ['/v2/instant-vat/signup/bookkeeping'],
  },
  stepBankAccount: {
    path: '/v2/instant-vat/steps/bank-account',
    access: 'public',
    title: INSTANT_VAT_TITLE,
    screen: 'BankAccountScreen',
    also: ['/v2/instant-vat/signup/bank-account'],
  },
  stepIdentity: {
    path: '/v2/instant-vat/steps/identity',
    access: 'public',
    title: INSTANT_VAT_TITLE,
    screen: 'IdentityStepScreen',
    also: ['/v2/instant-vat/signup/identity'],
  },
  dashboard: { path: '/v2/instant-vat/dashboard', access: 'signed_in', title: INSTANT_VAT_TITLE, header: 'dashboard' },
  vatReturn: { path: '/v2/instant-vat/dashboard/vat-return', access: 'signed_in', title: INSTANT_VAT_TITLE, header: 'dashboard' },
  advance: { path: '/v2/instant-vat/dashboard/advance', access: 'signed_in', title: INSTANT_VAT_TITLE, header: 'dashboard' },
  linkHmrcAccount: {
    path: '/v2/instant-vat/dashboard/link-hmrc-account',
    access: 'signed_in',
    title: INSTANT_VAT_TITLE,
    screen: 'LinkHmrcScreen',
    header: 'dashboard',
  },
  /** The demo: public with all that is below it (specification 2.5). The help below it is the help page. */
  demo: {
    path: '/v2/instant-vat/demo',
    access: 'public',
    title: INSTANT_VAT_TITLE,
    also: [
      '/v2/instant-vat/demo/vat-return',
      '/v2/instant-vat/demo/advance',
      '/v2/instant-vat/demo/link-hmrc-account',
      '/v2/instant-vat/demo/your-own-account',
    ],
  },
  /** What filing with us is, for visitors; a trader's own return is `vatReturn`. */
  vatReturnInfo: { path: '/v2/instant-vat/vat-return', access: 'public', title: INSTANT_VAT_TITLE },
  instantVatHelp: { path: '/v2/instant-vat/help', access: 'public', title: INSTANT_VAT_TITLE, screen: 'HelpScreen' },
  /** Also every other path that ends in /help (specification 2.4): see findPage. */
  help: { path: '/help', access: 'public', title: INSTANT_VAT_TITLE },
  contact: { path: '/contact', access: 'public', title: INSTANT_VAT_TITLE },
  privacy: { path: '/privacy', access: 'public', title: INSTANT_VAT_TITLE },
  cookieChoices: { path: '/privacy/cookies', access: 'public', title: INSTANT_VAT_TITLE },
  /** The stages of a partner's referrals, for its contacts. */
  partnerReferrals: { path: '/partner', access: 'signed_in', title: INSTANT_VAT_TITLE, screen: 'ReferralsScreen' },
  pendingTasks: { path: '/pending-tasks', access: 'signed_in', title: INSTANT_VAT_TITLE },
  connections: { path: '/connections', access: 'signed_in', title: INSTANT_VAT_TITLE },
  practiceDashboard: { path: '/v2/open-tax/dashboard', access: 'signed_in', title: OPEN_TAX_TITLE, header: 'practitioner' },
  practiceClients: {
    path: '/v2/open-tax/clients',
    access: 'signed_in',
    title: OPEN_TAX_TITLE,
    screen: 'ClientsScreen',
    header: 'practitioner',
  },
  clientDashboard: { path: '/v2/open-tax/client-dashboard', access: 'signed_in', title: OPEN_TAX_TITLE, header: 'practitioner' },
  practiceCalendar: { path: '/v2/open-tax/calendar', access: 'signed_in', title: OPEN_TAX_TITLE, header: 'practitioner' },
  login: { path: '/login', access: 'public', title: 'Login', kind: 'login' },
  loginV2: { path: '/v2/auth/login', access: 'public', title: 'Login', kind: 'login' },
  checkMail: { path: '/v2/auth/check-mail', access: 'public', title: 'Login' },
  useLink: { path: '/v2/auth/link', access: 'public', title: 'Login' },
  secondFactor: { path: '/v2/auth/second-factor', access: 'public', title: 'Login' },
  resetPassword: { path: '/v2/auth/reset-password', access: 'public', title: 'Login', screen: 'ResetScreen' },
  /** Where the link of a password reset leads: `?token=`. */
  newPassword: { path: '/v2/auth/new-password', access: 'public', title: 'Login' },
  profile: { path: '/v2/instant-vat/profile', access: 'signed_in', title: INSTANT_VAT_TITLE },
  /** Email address and mobile number, proved. */
  verification: { path: '/verification', access: 'signed_in', title: INSTANT_VAT_TITLE },
  verifyIdentity: { path: '/verify-identity', access: 'signed_in', title: INSTANT_VAT_TITLE },
  verifyIdentityNextSteps: {
    path: '/verify-identity/next-steps',
    access: 'signed_in',
    title: INSTANT_VAT_TITLE,
    screen: 'IdentityNextStepsScreen',
  },
  getStarted: { path: '/get-started/welcome', access: 'signed_in', title: INSTANT_VAT_TITLE, screen: 'WelcomeScreen' },
  company: { path: '/company', access: 'signed_in', title: INSTANT_VAT_TITLE, screen: 'CompaniesScreen' },
  logout: { path: '/logout', access: 'public', title: 'Login' },
  home: { path: '/home', access: 'signed_in', title: INSTANT_VAT_TITLE },
  // OpenTax: the way in of a practice (specification 2.3). Steps are public pages; their calls are not.
  openTaxLanding: { path: '/v2/open-tax', access: 'public', title: OPEN_TAX_TITLE, kind: 'landing' },
  openTaxSignup: { path: '/v2/open-tax/signup', access: 'public', title: OPEN_TAX_TITLE, screen: 'OpenTaxSignUpScreen' },
  practiceStepPractice: { path: '/v2/open-tax/steps/practice', access: 'public', title: OPEN_TAX_TITLE, screen: 'PracticeScreen' },
  practiceStepArn: { path: '/v2/open-tax/steps/arn', access: 'public', title: OPEN_TAX_TITLE, screen: 'ArnScreen' },
  practiceStepHmrc: { path: '/v2/open-tax/steps/hmrc', access: 'public', title: OPEN_TAX_TITLE, screen: 'HmrcScreen' },
  practiceStepTaxes: { path: '/v2/open-tax/steps/taxes', access: 'public', title: OPEN_TAX_TITLE, screen: 'TaxesScreen' },
  practiceStepImport: { path: '/v2/open-tax/steps/import', access: 'public', title: OPEN_TAX_TITLE, screen: 'ImportScreen' },
  practiceStepTeam: { path: '/v2/open-tax/steps/team', access: 'public', title: OPEN_TAX_TITLE, screen: 'TeamScreen' },
  openTaxXeroDeclined: { path: '/v2/open-tax/xero-declined', access: 'public', title: OPEN_TAX_TITLE, screen: 'XeroDeclinedScreen' },
  openTaxContact: { path: '/v2/open-tax/contact-us', access: 'public', title: OPEN_TAX_TITLE, screen: 'ContactScreen' },
  openTaxFreeagent: { path: '/v2/open-tax/partners/freeagent', access: 'public', title: OPEN_TAX_TITLE, screen: 'FreeagentScreen' },
  openTaxNomi: { path: '/v2/open-tax/partners/nomi', access: 'public', title: OPEN_TAX_TITLE, screen: 'NomiScreen' },
  clientImport: { path: '/v2/open-tax/clients/import', access: 'signed_in', title: OPEN_TAX_TITLE, header: 'practitioner' },
  /** PAYE and corporation tax, by the statements that the practice takes from HMRC's pages. */
  taxStatements: { path: '/v2/open-tax/clients/statements', access: 'signed_in', title: OPEN_TAX_TITLE, header: 'practitioner' },
  /** A tab for each further address. */
  practiceSettings: {
    path: '/v2/open-tax/settings',
    access: 'signed_in',
    title: OPEN_TAX_TITLE,
    screen: 'SettingsScreen',
    header: 'practitioner',
    also: ['/v2/open-tax/settings/practice', '/v2/open-tax/settings/roles', '/v2/open-tax/settings/connections'],
  },
  adminQueues: { path: '/admin', access: 'operator', title: 'Operators', screen: 'QueuesScreen', header: 'operator' },
  adminAdvance: { path: '/admin/advance', access: 'operator', title: 'Operators', screen: 'OperatorAdvanceScreen', header: 'operator' },
  adminPartners: { path: '/admin/partners', access: 'operator', title: 'Operators', screen: 'PartnersScreen', header: 'operator' },
  adminLedger: { path: '/admin/ledger', access: 'operator', title: 'Operators', screen: 'LedgerScreen', header: 'operator' },
  /** Every piece of the screens in each of its states. */
  devComponents: {
    path: '/dev/components',
    access: 'public',
    title: INSTANT_VAT_TITLE,
    screen: 'ComponentsScreen',
    onlyInDevelopment: true,
  },
} as const satisfies Record<string, Page>;

export type PageName = keyof typeof PAGES;

/** The pages that are prerendered and stand outside the app. */
export type LandingPageName = { [Name in PageName]: (typeof PAGES)[Name] extends { kind: 'landing' } ? Name : never }[PageName];

/** Every address of a page: its path, then the further ones. */
export function addressesOf(page: Page): readonly string[] {
  return [page.path, ...(page.also ?? [])];
}

/** The page at a path below /portal, trailing slash tolerated. */
export function findPage(path: string): (Page & { readonly name: PageName }) | undefined {
  const wanted = path.length > 1 ? path.replace(/\/+$/, '') : path;
  for (const [name, page] of Object.entries(PAGES)) {
    if (addressesOf(page).includes(wanted)) return { ...page, name: name as PageName };
  }
  // Any path ending in /help is public and is the help, wherever one asks for it (specification 2.4 and 2.5).
  return wanted.endsWith(PAGES.help.path) ? { ...PAGES.help, name: 'help', title: productTitleAt(wanted) } : undefined;
}

/** What follows the brand in the window's title where no page says it: the name of the product whose address it is. */
export function productTitleAt(path: string): string {
  return isOpenTaxPath(path) ? OPEN_TAX_TITLE : INSTANT_VAT_TITLE;
}

/** The help of the practices' product: as any path ending in /help, no page of its own. */
export const OPEN_TAX_HELP = `${PAGES.openTaxLanding.path}${PAGES.help.path}` as const;

/** Whether an address below /portal is the practices' product's. */
export function isOpenTaxPath(path: string): boolean {
  const { path: openTax } = PAGES.openTaxLanding;
  return path === openTax || path.startsWith(`${openTax}/`);
}
