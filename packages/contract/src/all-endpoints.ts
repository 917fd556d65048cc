// Written by scripts/write-registries.ts, which every npm command runs. Do not edit.
import { advanceProposalsApi } from './advance-proposals.ts';
import { advancesApi } from './advances.ts';
import { agentModeApi } from './agent.ts';
import { apiKeysApi, companyApiKeysApi } from './api-keys.ts';
import { approvalsApi } from './approvals.ts';
import { assignmentApi } from './assignment.ts';
import { authorisationRequestsApi } from './authorisation-requests.ts';
import { authorisationsApi } from './authorisations.ts';
import { billingApi } from './billing.ts';
import { booksConnectionApi } from './books-connection.ts';
import { booksApi } from './books.ts';
import { clientBooksApi } from './client-books.ts';
import { clientDashboardApi } from './client-dashboard.ts';
import { clientFilesApi } from './client-files.ts';
import { clientGroupsApi } from './client-groups.ts';
import { clientImportsApi } from './client-imports.ts';
import { clientInvitationsApi } from './client-invitations.ts';
import { clientPortalApi } from './client-portal.ts';
import { clientRequestsApi } from './client-requests.ts';
import { clientReturnsApi } from './client-returns.ts';
import { clientsApi } from './clients.ts';
import { companyLookUpApi } from './company-look-up.ts';
import { companyPeopleApi } from './company-people.ts';
import { connectedAppsApi } from './connected-apps.ts';
import { connectionsApi } from './connections.ts';
import { contactApi } from './contact.ts';
import { customerSessionsApi } from './customer-sessions.ts';
import { dashboardApi } from './dashboard.ts';
import { dataProtectionApi } from './data-protection.ts';
import { deskApi } from './desk.ts';
import { documentsApi } from './documents.ts';
import { engagementApi } from './engagement.ts';
import { identityCheckApi } from './identity-check.ts';
import { identityApi } from './identity.ts';
import { invitationRunsApi } from './invitation-runs.ts';
import { languageModelApi } from './language-model.ts';
import { mailReportsApi } from './mail-reports.ts';
import { mailboxApi } from './mailbox.ts';
import { messageTemplatesApi } from './message-templates.ts';
import { messagesApi, notificationsApi } from './messages.ts';
import { nightlyRefreshApi } from './nightly-refresh.ts';
import { onboardingApi } from './onboarding.ts';
import { operationsApi } from './operations.ts';
import { operatorBillingApi } from './operator-billing.ts';
import { operatorCompaniesApi } from './operator-companies.ts';
import { operatorMessagesApi } from './operator-messages.ts';
import { operatorPeopleApi } from './operator-people.ts';
import { operatorPricingApi } from './operator-pricing.ts';
import { operatorsApi } from './operators.ts';
import { agentApi, operatorPartnersApi, partnersApi } from './partners.ts';
import { positionChangesApi } from './position-changes.ts';
import { positionsApi } from './positions.ts';
import { practiceBooksApi } from './practice-books.ts';
import { practiceBrandApi } from './practice-brand.ts';
import { practiceDashboardApi } from './practice-dashboard.ts';
import { practiceApi } from './practice.ts';
import { priceMovesApi } from './price-moves.ts';
import { pricingApi } from './pricing.ts';
import { reconciliationExceptionsApi } from './reconciliation-exceptions.ts';
import { reminderRulesApi } from './reminder-rules.ts';
import { returnApprovalsApi } from './return-approvals.ts';
import { screeningApi } from './screening.ts';
import { securityApi } from './security.ts';
import { shortfallsApi } from './shortfalls.ts';
import { staffNotificationsApi } from './staff-notifications.ts';
import { syncApi } from './sync.ts';
import { tasksApi } from './tasks.ts';
import { taxStatementsApi } from './tax-statements.ts';
import { teamInvitationsApi } from './team-invitations.ts';
import { teamApi } from './team.ts';
import { vatGroupsApi } from './vat-groups.ts';
import { vatReturnsApi } from './vat-returns.ts';
import { verificationApi } from './verification.ts';
import { viewingApi } from './viewing.ts';
import { companyWebhooksApi, webhooksApi } from './webhooks.ts';
import { workItemsApi } from './work-items.ts';
import { workTemplatesApi } from './work-templates.ts';

/** Every endpoint of the portal, by subject. */
export const ALL_ENDPOINTS = {
  advanceProposals: advanceProposalsApi,
  advances: advancesApi,
  agent: agentApi,
  agentMode: agentModeApi,
  apiKeys: apiKeysApi,
  approvals: approvalsApi,
  assignment: assignmentApi,
  authorisationRequests: authorisationRequestsApi,
  authorisations: authorisationsApi,
  billing: billingApi,
  books: booksApi,
  booksConnection: booksConnectionApi,
  clientBooks: clientBooksApi,
  clientDashboard: clientDashboardApi,
  clientFiles: clientFilesApi,
  clientGroups: clientGroupsApi,
  clientImports: clientImportsApi,
  clientInvitations: clientInvitationsApi,
  clientPortal: clientPortalApi,
  clientRequests: clientRequestsApi,
  clientReturns: clientReturnsApi,
  clients: clientsApi,
  companyApiKeys: companyApiKeysApi,
  companyLookUp: companyLookUpApi,
  companyPeople: companyPeopleApi,
  companyWebhooks: companyWebhooksApi,
  connectedApps: connectedAppsApi,
  connections: connectionsApi,
  contact: contactApi,
  customerSessions: customerSessionsApi,
  dashboard: dashboardApi,
  dataProtection: dataProtectionApi,
  desk: deskApi,
  documents: documentsApi,
  engagement: engagementApi,
  identity: identityApi,
  identityCheck: identityCheckApi,
  invitationRuns: invitationRunsApi,
  languageModel: languageModelApi,
  mailReports: mailReportsApi,
  mailbox: mailboxApi,
  messageTemplates: messageTemplatesApi,
  messages: messagesApi,
  nightlyRefresh: nightlyRefreshApi,
  notifications: notificationsApi,
  onboarding: onboardingApi,
  operations: operationsApi,
  operatorBilling: operatorBillingApi,
  operatorCompanies: operatorCompaniesApi,
  operatorMessages: operatorMessagesApi,
  operatorPartners: operatorPartnersApi,
  operatorPeople: operatorPeopleApi,
  operatorPricing: operatorPricingApi,
  operators: operatorsApi,
  partners: partnersApi,
  positionChanges: positionChangesApi,
  positions: positionsApi,
  practice: practiceApi,
  practiceBooks: practiceBooksApi,
  practiceBrand: practiceBrandApi,
  practiceDashboard: practiceDashboardApi,
  priceMoves: priceMovesApi,
  pricing: pricingApi,
  reconciliationExceptions: reconciliationExceptionsApi,
  reminderRules: reminderRulesApi,
  returnApprovals: returnApprovalsApi,
  screening: screeningApi,
  security: securityApi,
  shortfalls: shortfallsApi,
  staffNotifications: staffNotificationsApi,
  sync: syncApi,
  tasks: tasksApi,
  taxStatements: taxStatementsApi,
  team: teamApi,
  teamInvitations: teamInvitationsApi,
  vatGroups: vatGroupsApi,
  vatReturns: vatReturnsApi,
  verification: verificationApi,
  viewing: viewingApi,
  webhooks: webhooksApi,
  workItems: workItemsApi,
  workTemplates: workTemplatesApi,
} as const;
