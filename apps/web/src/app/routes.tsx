/** One line per screen. Paths and titles come from the contract; each screen is loaded when it is opened. */
import { addressesOf, PAGES, type LandingPageName, type Page, type PageName } from '@portal/contract/pages.ts';
import type { ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { PORTAL_BASE, showsDevelopmentPages } from '../lib/settings.ts';
import { PageSkeleton } from '../ui/skeletons.tsx';
import { ErrorScreen } from './error-screen.tsx';
import { FurtherAddress } from './further-address.tsx';
import { LeaveForDocument } from './leave-for-document.tsx';
import { Shell } from './shell.tsx';

type Screen = () => Promise<ComponentType>;

/** Screens without MUI, so that opening one of them first doesn't load it. */
const PLAIN: ReadonlySet<PageName> = new Set(['dashboard', 'login', 'loginV2']);

const SCREENS: Readonly<Record<Exclude<PageName, LandingPageName | 'demo'>, Screen>> = {
  stepAbout: () => import('../features/onboarding/about-screen.tsx').then((file) => file.AboutScreen),
  stepCompany: () => import('../features/onboarding/company-screen.tsx').then((file) => file.CompanyScreen),
  stepGovernmentGateway: () => import('../features/onboarding/government-gateway-screen.tsx').then((file) => file.GovernmentGatewayScreen),
  stepBookkeeping: () => import('../features/onboarding/bookkeeping-screen.tsx').then((file) => file.BookkeepingScreen),
  stepBankAccount: () => import('../features/onboarding/bank-account-screen.tsx').then((file) => file.BankAccountScreen),
  stepIdentity: () => import('../features/onboarding/identity-screen.tsx').then((file) => file.IdentityStepScreen),
  dashboard: () => import('../features/dashboard/dashboard-screen.tsx').then((file) => file.DashboardScreen),
  vatReturn: () => import('../features/vat-returns/vat-return-screen.tsx').then((file) => file.VatReturnScreen),
  linkHmrcAccount: () => import('../features/dashboard/link-hmrc-screen.tsx').then((file) => file.LinkHmrcScreen),
  advance: () => import('../features/advances/advance-screen.tsx').then((file) => file.AdvanceScreen),
  vatReturnInfo: () => import('../features/public-pages/vat-return-info-screen.tsx').then((file) => file.VatReturnInfoScreen),
  instantVatHelp: () => import('../features/help/help-screen.tsx').then((file) => file.HelpScreen),
  help: () => import('../features/help/help-screen.tsx').then((file) => file.HelpScreen),
  contact: () => import('../features/contact/contact-screen.tsx').then((file) => file.ContactScreen),
  privacy: () => import('../features/privacy/privacy-screen.tsx').then((file) => file.PrivacyScreen),
  cookieChoices: () => import('../features/privacy/cookie-choices-screen.tsx').then((file) => file.CookieChoicesScreen),
  pendingTasks: () => import('../features/tasks/pending-tasks-screen.tsx').then((file) => file.PendingTasksScreen),
  connections: () => import('../features/connections/connections-screen.tsx').then((file) => file.ConnectionsScreen),
  login: () => Promise.resolve(LeaveForDocument),
  loginV2: () => Promise.resolve(LeaveForDocument),
  checkMail: () => import('../features/identity/check-mail-screen.tsx').then((file) => file.CheckMailScreen),
  useLink: () => import('../features/identity/use-link-screen.tsx').then((file) => file.UseLinkScreen),
  resetPassword: () => import('../features/identity/reset-screen.tsx').then((file) => file.ResetScreen),
  newPassword: () => import('../features/identity/new-password-screen.tsx').then((file) => file.NewPasswordScreen),
  secondFactor: () => import('../features/identity/second-factor-screen.tsx').then((file) => file.SecondFactorScreen),
  logout: () => import('../features/identity/logout-screen.tsx').then((file) => file.LogoutScreen),
  profile: () => import('../features/profile/profile-screen.tsx').then((file) => file.ProfileScreen),
  verification: () => import('../features/profile/verification-screen.tsx').then((file) => file.VerificationScreen),
  verifyIdentity: () => import('../features/identity-check/verify-identity-screen.tsx').then((file) => file.VerifyIdentityScreen),
  verifyIdentityNextSteps: () => import('../features/identity-check/next-steps-screen.tsx').then((file) => file.IdentityNextStepsScreen),
  getStarted: () => import('../features/onboarding/welcome-screen.tsx').then((file) => file.WelcomeScreen),
  company: () => import('../features/companies/companies-screen.tsx').then((file) => file.CompaniesScreen),
  home: () => import('../features/identity/home-screen.tsx').then((file) => file.HomeScreen),
  openTaxSignup: () => import('../features/practice-landing/sign-up-screen.tsx').then((file) => file.OpenTaxSignUpScreen),
  practiceStepPractice: () => import('../features/practice-steps/practice-screen.tsx').then((file) => file.PracticeScreen),
  practiceStepArn: () => import('../features/practice-steps/arn-screen.tsx').then((file) => file.ArnScreen),
  practiceStepHmrc: () => import('../features/practice-steps/hmrc-screen.tsx').then((file) => file.HmrcScreen),
  practiceStepTaxes: () => import('../features/practice-steps/taxes-screen.tsx').then((file) => file.TaxesScreen),
  practiceStepImport: () => import('../features/practice-steps/import-screen.tsx').then((file) => file.ImportScreen),
  practiceStepTeam: () => import('../features/practice-steps/team-screen.tsx').then((file) => file.TeamScreen),
  openTaxXeroDeclined: () => import('../features/practice-landing/xero-declined-screen.tsx').then((file) => file.XeroDeclinedScreen),
  openTaxContact: () => import('../features/contact/contact-screen.tsx').then((file) => file.ContactScreen),
  openTaxFreeagent: () => import('../features/practice-landing/partner-screen.tsx').then((file) => file.FreeagentScreen),
  openTaxNomi: () => import('../features/practice-landing/partner-screen.tsx').then((file) => file.NomiScreen),
  clientImport: () => import('../features/client-imports/client-import-screen.tsx').then((file) => file.ClientImportScreen),
  taxStatements: () => import('../features/tax-statements/tax-statements-screen.tsx').then((file) => file.TaxStatementsScreen),
  practiceSettings: () => import('../features/practice-settings/settings-screen.tsx').then((file) => file.SettingsScreen),
  practiceDashboard: () =>
    import('../features/practice-dashboard/practice-dashboard-screen.tsx').then((file) => file.PracticeDashboardScreen),
  practiceClients: () => import('../features/clients/clients-screen.tsx').then((file) => file.ClientsScreen),
  clientDashboard: () => import('../features/client-dashboard/client-dashboard-screen.tsx').then((file) => file.ClientDashboardScreen),
  practiceCalendar: () => import('../features/practice-calendar/practice-calendar-screen.tsx').then((file) => file.PracticeCalendarScreen),
  adminQueues: () => import('../features/operators/queues-screen.tsx').then((file) => file.QueuesScreen),
  adminAdvance: () => import('../features/operators/operator-advance-screen.tsx').then((file) => file.OperatorAdvanceScreen),
  adminPartners: () => import('../features/operators/partners-screen.tsx').then((file) => file.PartnersScreen),
  partnerReferrals: () => import('../features/partners/referrals-screen.tsx').then((file) => file.ReferralsScreen),
  adminLedger: () => import('../features/operators/ledger-screen.tsx').then((file) => file.LedgerScreen),
  devComponents: () => import('./dev/components-screen.tsx').then((file) => file.ComponentsScreen),
};

function routesOf(name: keyof typeof SCREENS): RouteObject[] {
  const page: Page = PAGES[name];
  if (page.onlyInDevelopment === true && !showsDevelopmentPages()) return [];
  const load = SCREENS[name];
  return addressesOf(PAGES[name]).map((path) => ({ path, lazy: async () => ({ Component: await load() }) }));
}

const loadStage = () => import('../core/mui-layout.tsx').then((file) => ({ Component: file.MuiLayout }));

/** The demo has no session and answers requests from memory, so it is outside the shell. All its pages share one frame. */
const DEMO: RouteObject = {
  errorElement: <ErrorScreen />,
  HydrateFallback: PageSkeleton,
  lazy: loadStage,
  children: [
    {
      lazy: () => import('./demo/demo-screen.tsx').then((file) => ({ Component: file.DemoScreen })),
      children: addressesOf(PAGES.demo).map((path) => ({ path, element: null })),
    },
  ],
};

export function createRouter() {
  const screens = Object.keys(SCREENS) as (keyof typeof SCREENS)[];
  return createBrowserRouter(
    [
      DEMO,
      {
        Component: Shell,
        errorElement: <ErrorScreen />,
        HydrateFallback: PageSkeleton,
        children: [
          {
            // Inside the shell, so that the header stays if a screen fails.
            errorElement: <ErrorScreen />,
            children: [
              ...screens.filter((name) => PLAIN.has(name)).flatMap(routesOf),
              {
                lazy: loadStage,
                children: [
                  {
                    errorElement: <ErrorScreen />,
                    children: [...screens.filter((name) => !PLAIN.has(name)).flatMap(routesOf), { path: '*', Component: FurtherAddress }],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
    { basename: PORTAL_BASE },
  );
}
