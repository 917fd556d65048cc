// Written by scripts/write-registries.ts, which every npm command runs. Do not edit.
import type { ComponentType } from 'react';

/** The screen of each of these pages, loaded when it is opened. */
export const TRADER_SCREENS = {
  stepAbout: () => import('../../features/onboarding/about-screen.tsx').then((module) => module.AboutScreen),
  stepCompany: () => import('../../features/onboarding/company-screen.tsx').then((module) => module.CompanyScreen),
  stepGovernmentGateway: () =>
    import('../../features/onboarding/government-gateway-screen.tsx').then((module) => module.GovernmentGatewayScreen),
  stepBookkeeping: () => import('../../features/onboarding/bookkeeping-screen.tsx').then((module) => module.BookkeepingScreen),
  stepBankAccount: () => import('../../features/onboarding/bank-account-screen.tsx').then((module) => module.BankAccountScreen),
  stepIdentity: () => import('../../features/onboarding/identity-screen.tsx').then((module) => module.IdentityStepScreen),
  dashboard: () => import('../../features/dashboard/dashboard-screen.tsx').then((module) => module.DashboardScreen),
  vatReturns: () => import('../../features/dashboard/vat-returns-screen.tsx').then((module) => module.VatReturnsScreen),
  vatReturn: () => import('../../features/vat-returns/vat-return-screen.tsx').then((module) => module.VatReturnScreen),
  advance: () => import('../../features/advances/advance-screen.tsx').then((module) => module.AdvanceScreen),
  shortfallLetter: () => import('../../features/advances/shortfall-letter-screen.tsx').then((module) => module.ShortfallLetterScreen),
  books: () => import('../../features/books/books-screen.tsx').then((module) => module.BooksScreen),
  documents: () => import('../../features/documents/documents-screen.tsx').then((module) => module.DocumentsScreen),
  companyPeople: () => import('../../features/company-people/company-people-screen.tsx').then((module) => module.CompanyPeopleScreen),
  linkHmrcAccount: () => import('../../features/dashboard/link-hmrc-screen.tsx').then((module) => module.LinkHmrcScreen),
  demo: () => import('../demo/demo-screen.tsx').then((module) => module.DemoScreen),
  vatReturnInfo: () => import('../../features/public-pages/vat-return-info-screen.tsx').then((module) => module.VatReturnInfoScreen),
  instantVatHelp: () => import('../../features/help/help-screen.tsx').then((module) => module.HelpScreen),
} as const satisfies Readonly<Record<string, () => Promise<ComponentType>>>;
