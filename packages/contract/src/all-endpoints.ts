/** Every call of the portal, by subject: what the server must serve and the access test goes through. */
import { advancesApi } from './advances.ts';
import { authorisationsApi } from './authorisations.ts';
import { booksApi } from './books.ts';
import { clientDashboardApi } from './client-dashboard.ts';
import { clientImportsApi } from './client-imports.ts';
import { clientsApi } from './clients.ts';
import { connectionsApi } from './connections.ts';
import { contactApi } from './contact.ts';
import { dashboardApi } from './dashboard.ts';
import { identityApi } from './identity.ts';
import { companyLookUpApi, identityCheckApi, securityApi, verificationApi } from './identity-security.ts';
import { onboardingApi } from './onboarding.ts';
import { operatorApi } from './operator.ts';
import { operatorMattersApi } from './operator-matters.ts';
import { agentApi, operatorPartnersApi, partnersApi } from './partners.ts';
import { practiceApi } from './practice.ts';
import { practiceDashboardApi } from './practice-dashboard.ts';
import { positionsApi } from './positions.ts';
import { syncApi } from './sync.ts';
import { tasksApi } from './tasks.ts';
import { taxStatementsApi } from './tax-statements.ts';
import { vatReturnsApi } from './vat-returns.ts';

export const ALL_ENDPOINTS = {
  identity: identityApi,
  security: securityApi,
  verification: verificationApi,
  companyLookUp: companyLookUpApi,
  identityCheck: identityCheckApi,
  onboarding: onboardingApi,
  books: booksApi,
  dashboard: dashboardApi,
  vatReturns: vatReturnsApi,
  advances: advancesApi,
  contact: contactApi,
  tasks: tasksApi,
  connections: connectionsApi,
  practice: practiceApi,
  authorisations: authorisationsApi,
  positions: positionsApi,
  sync: syncApi,
  clientImports: clientImportsApi,
  taxStatements: taxStatementsApi,
  clients: clientsApi,
  clientDashboard: clientDashboardApi,
  practiceDashboard: practiceDashboardApi,
  operator: operatorApi,
  operatorMatters: operatorMattersApi,
  partners: partnersApi,
  agent: agentApi,
  operatorPartners: operatorPartnersApi,
} as const;
