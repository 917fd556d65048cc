// Written by scripts/write-registries.ts, which every npm command runs. Do not edit.
import type { ComponentType } from 'react';

/** The screen of each of these pages, loaded when it is opened. */
export const OPERATOR_SCREENS = {
  adminQueues: () => import('../../features/operators/desk-screen.tsx').then((module) => module.DeskScreen),
  adminPromise: () => import('../../features/operators/promise-screen.tsx').then((module) => module.PromiseScreen),
  adminExposure: () => import('../../features/operators/exposure-screen.tsx').then((module) => module.ExposureScreen),
  adminCompanies: () => import('../../features/operators/operator-companies-screen.tsx').then((module) => module.OperatorCompaniesScreen),
  adminCompany: () => import('../../features/operators/operator-company-screen.tsx').then((module) => module.OperatorCompanyScreen),
  adminReconciliation: () => import('../../features/operators/reconciliation-screen.tsx').then((module) => module.ReconciliationScreen),
  adminMessages: () => import('../../features/operators/messages-screen.tsx').then((module) => module.MessagesScreen),
  adminJobs: () => import('../../features/operators/jobs-screen.tsx').then((module) => module.JobsScreen),
  adminAudit: () => import('../../features/operators/audit-screen.tsx').then((module) => module.AuditScreen),
  adminHealth: () => import('../../features/operators/health-screen.tsx').then((module) => module.HealthScreen),
  adminAdvance: () => import('../../features/operators/operator-advance-screen.tsx').then((module) => module.OperatorAdvanceScreen),
  adminShortfalls: () => import('../../features/shortfalls/shortfalls-screen.tsx').then((module) => module.ShortfallsScreen),
  adminShortfall: () => import('../../features/shortfalls/shortfall-screen.tsx').then((module) => module.ShortfallScreen),
  adminPartners: () => import('../../features/partners/partners-screen.tsx').then((module) => module.PartnersScreen),
  adminPricing: () => import('../../features/operators/operator-pricing-screen.tsx').then((module) => module.OperatorPricingScreen),
  adminBilling: () => import('../../features/operators/operator-billing-screen.tsx').then((module) => module.OperatorBillingScreen),
  adminLedger: () => import('../../features/operators/ledger-screen.tsx').then((module) => module.LedgerScreen),
  adminPeople: () => import('../../features/operators/operator-people-screen.tsx').then((module) => module.OperatorPeopleScreen),
  adminEnrolment: () => import('../../features/security/enrolment-screen.tsx').then((module) => module.EnrolmentScreen),
  adminScreening: () => import('../../features/screening/screening-screen.tsx').then((module) => module.ScreeningScreen),
} as const satisfies Readonly<Record<string, () => Promise<ComponentType>>>;
