/** The operators' pages. */
import type { Page } from './page.ts';

const OPERATOR_PAGE = { access: 'operator', title: 'Operators', header: 'operator' } as const;

export const OPERATOR_PAGES = {
  adminQueues: { ...OPERATOR_PAGE, path: '/admin', section: 'Work queue', screen: 'DeskScreen' },
  adminPromise: { ...OPERATOR_PAGE, path: '/admin/promise', section: 'Promise', screen: 'PromiseScreen' },
  adminExposure: { ...OPERATOR_PAGE, path: '/admin/exposure', section: 'Exposure', screen: 'ExposureScreen' },
  adminCompanies: { ...OPERATOR_PAGE, path: '/admin/companies', section: 'Companies', screen: 'OperatorCompaniesScreen' },
  adminCompany: { ...OPERATOR_PAGE, path: '/admin/company', section: 'Company', screen: 'OperatorCompanyScreen' },
  adminReconciliation: { ...OPERATOR_PAGE, path: '/admin/reconciliation', section: 'Reconciliation', screen: 'ReconciliationScreen' },
  adminMessages: { ...OPERATOR_PAGE, path: '/admin/messages', section: 'Messages', screen: 'MessagesScreen' },
  adminJobs: { ...OPERATOR_PAGE, path: '/admin/jobs', section: 'Jobs', screen: 'JobsScreen' },
  adminAudit: { ...OPERATOR_PAGE, path: '/admin/audit', section: 'Audit', screen: 'AuditScreen' },
  adminHealth: { ...OPERATOR_PAGE, path: '/admin/health', section: 'Health', screen: 'HealthScreen' },
  adminAdvance: { ...OPERATOR_PAGE, path: '/admin/advance', section: 'Advance', screen: 'OperatorAdvanceScreen' },
  adminShortfalls: { ...OPERATOR_PAGE, path: '/admin/shortfalls', section: 'Shortfalls', screen: 'ShortfallsScreen' },
  adminShortfall: { ...OPERATOR_PAGE, path: '/admin/shortfall', section: 'Shortfall', screen: 'ShortfallScreen' },
  adminPartners: { ...OPERATOR_PAGE, path: '/admin/partners', section: 'Partners', screen: 'PartnersScreen' },
  /** Price lists; `?view=codes` shows the promotion codes. */
  adminPricing: { ...OPERATOR_PAGE, path: '/admin/pricing', section: 'Prices', screen: 'OperatorPricingScreen' },
  /** Practices’ subscriptions; `?view=` shows invoices, refunds or revenue. */
  adminBilling: { ...OPERATOR_PAGE, path: '/admin/billing', section: 'Billing', screen: 'OperatorBillingScreen' },
  adminLedger: { ...OPERATOR_PAGE, path: '/admin/ledger', section: 'Ledger', screen: 'LedgerScreen' },
  adminPeople: { ...OPERATOR_PAGE, path: '/admin/people', section: 'People', screen: 'OperatorPeopleScreen' },
  /** Where an operator sets up or confirms the second factor before the other pages open. For everyone else, the page doesn't exist. */
  adminEnrolment: {
    path: '/admin/enrolment',
    access: 'enrolling',
    title: 'Operators',
    section: 'Second factor',
    screen: 'EnrolmentScreen',
  },
  adminScreening: { ...OPERATOR_PAGE, path: '/admin/screening', section: 'Screening', screen: 'ScreeningScreen' },
} as const satisfies Record<string, Page>;
