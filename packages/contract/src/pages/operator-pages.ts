/** The operators' pages. */
import type { Page } from './page.ts';

const OPERATOR = { access: 'operator', title: 'Operators', header: 'operator' } as const;

export const OPERATOR_PAGES = {
  adminQueues: { ...OPERATOR, path: '/admin', section: 'Work queue', screen: 'DeskScreen' },
  adminPromise: { ...OPERATOR, path: '/admin/promise', section: 'Promise', screen: 'PromiseScreen' },
  adminExposure: { ...OPERATOR, path: '/admin/exposure', section: 'Exposure', screen: 'ExposureScreen' },
  adminCompanies: { ...OPERATOR, path: '/admin/companies', section: 'Companies', screen: 'OperatorCompaniesScreen' },
  adminCompany: { ...OPERATOR, path: '/admin/company', section: 'Company', screen: 'OperatorCompanyScreen' },
  adminReconciliation: { ...OPERATOR, path: '/admin/reconciliation', section: 'Reconciliation', screen: 'ReconciliationScreen' },
  adminMessages: { ...OPERATOR, path: '/admin/messages', section: 'Messages', screen: 'MessagesScreen' },
  adminJobs: { ...OPERATOR, path: '/admin/jobs', section: 'Jobs', screen: 'JobsScreen' },
  adminAudit: { ...OPERATOR, path: '/admin/audit', section: 'Audit', screen: 'AuditScreen' },
  adminHealth: { ...OPERATOR, path: '/admin/health', section: 'Health', screen: 'HealthScreen' },
  adminAdvance: { ...OPERATOR, path: '/admin/advance', section: 'Advance', screen: 'OperatorAdvanceScreen' },
  adminShortfalls: { ...OPERATOR, path: '/admin/shortfalls', section: 'Shortfalls', screen: 'ShortfallsScreen' },
  adminShortfall: { ...OPERATOR, path: '/admin/shortfall', section: 'Shortfall', screen: 'ShortfallScreen' },
  adminPartners: { ...OPERATOR, path: '/admin/partners', section: 'Partners', screen: 'PartnersScreen' },
  /** Price lists; `?view=codes` shows the promotion codes. */
  adminPricing: { ...OPERATOR, path: '/admin/pricing', section: 'Prices', screen: 'OperatorPricingScreen' },
  /** Practices’ subscriptions; `?view=` shows invoices, refunds or revenue. */
  adminBilling: { ...OPERATOR, path: '/admin/billing', section: 'Billing', screen: 'OperatorBillingScreen' },
  adminLedger: { ...OPERATOR, path: '/admin/ledger', section: 'Ledger', screen: 'LedgerScreen' },
  adminPeople: { ...OPERATOR, path: '/admin/people', section: 'People', screen: 'OperatorPeopleScreen' },
  /** Where an operator sets up or confirms the second factor before the other pages open. For everyone else, the page doesn't exist. */
  adminEnrolment: {
    path: '/admin/enrolment',
    access: 'enrolling',
    title: 'Operators',
    section: 'Second factor',
    screen: 'EnrolmentScreen',
  },
  adminScreening: { ...OPERATOR, path: '/admin/screening', section: 'Screening', screen: 'ScreeningScreen' },
} as const satisfies Record<string, Page>;
