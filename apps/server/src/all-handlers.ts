// Written by scripts/write-registries.ts, which every npm command runs. Do not edit.
import type { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import { advanceProposalsHandlers } from './features/advance-proposals/advance-proposals-routes.ts';
import { advancesHandlers } from './features/advances/advances-routes.ts';
import { agentModeHandlers } from './features/agent/agent-routes.ts';
import { apiKeysHandlers, companyApiKeysHandlers } from './features/api-keys/api-keys-routes.ts';
import { approvalsHandlers } from './features/approvals/approvals-routes.ts';
import { assignmentHandlers } from './features/assignment/assignment-routes.ts';
import { authorisationRequestsHandlers } from './features/authorisation-requests/authorisation-requests-routes.ts';
import { authorisationsHandlers } from './features/authorisations/authorisations-routes.ts';
import { billingHandlers } from './features/billing/billing-routes.ts';
import { booksConnectionHandlers } from './features/books-connection/books-connection-routes.ts';
import { clientBooksHandlers } from './features/books-connection/client-books-routes.ts';
import { booksHandlers } from './features/books/books-routes.ts';
import { clientDashboardHandlers } from './features/client-dashboard/client-dashboard-routes.ts';
import { clientFilesHandlers } from './features/client-files/client-files-routes.ts';
import { clientGroupsHandlers } from './features/client-groups/client-groups-routes.ts';
import { clientImportsHandlers } from './features/client-imports/client-imports-routes.ts';
import { clientInvitationsHandlers } from './features/client-portal/client-invitations-routes.ts';
import { clientPortalHandlers } from './features/client-portal/client-portal-routes.ts';
import { clientRequestsHandlers } from './features/client-requests/client-requests-routes.ts';
import { clientReturnsHandlers } from './features/client-returns/client-returns-routes.ts';
import { clientsHandlers } from './features/clients/clients-routes.ts';
import { companyLookUpHandlers } from './features/company-look-up/company-look-up-routes.ts';
import { companyPeopleHandlers } from './features/company-people/company-people-routes.ts';
import { connectedAppsHandlers } from './features/connected-apps/connected-apps-routes.ts';
import { connectionsHandlers } from './features/connections/connections-routes.ts';
import { contactHandlers } from './features/contact/contact-routes.ts';
import { customerSessionsHandlers } from './features/customer-sessions/customer-sessions-routes.ts';
import { dashboardHandlers } from './features/dashboard/dashboard-routes.ts';
import { dataProtectionHandlers } from './features/data-protection/data-protection-routes.ts';
import { deskHandlers } from './features/desk/desk-routes.ts';
import { documentsHandlers } from './features/documents/documents-routes.ts';
import { engagementHandlers } from './features/engagement/engagement-routes.ts';
import { identityCheckHandlers } from './features/identity-check/identity-check-routes.ts';
import { identityHandlers } from './features/identity/identity-routes.ts';
import { invitationRunsHandlers } from './features/invitation-runs/invitation-runs-routes.ts';
import { languageModelHandlers } from './features/language-model/language-model-routes.ts';
import { mailReportsHandlers } from './features/mail-reports/mail-reports-routes.ts';
import { mailboxHandlers } from './features/mailbox/mailbox-routes.ts';
import { messageTemplatesHandlers } from './features/messages/message-templates-routes.ts';
import { messagesHandlers, notificationsHandlers } from './features/messages/messages-routes.ts';
import { nightlyRefreshHandlers } from './features/nightly-refresh/nightly-refresh-routes.ts';
import { onboardingHandlers } from './features/onboarding/onboarding-routes.ts';
import { operationsHandlers } from './features/operations/operations-routes.ts';
import { operatorBillingHandlers } from './features/operator-billing/operator-billing-routes.ts';
import { operatorCompaniesHandlers } from './features/operator-companies/operator-companies-routes.ts';
import { operatorMessagesHandlers } from './features/operator-messages/operator-messages-routes.ts';
import { operatorPeopleHandlers } from './features/operator-people/operator-people-routes.ts';
import { operatorPricingHandlers } from './features/operator-pricing/operator-pricing-routes.ts';
import { priceMovesHandlers } from './features/operator-pricing/price-moves-routes.ts';
import { operatorsHandlers } from './features/operators/operators-routes.ts';
import { agentHandlers, operatorPartnersHandlers, partnersHandlers } from './features/partners/partners-routes.ts';
import { positionChangesHandlers } from './features/position-changes/position-changes-routes.ts';
import { positionsHandlers } from './features/positions/positions-routes.ts';
import { practiceBooksHandlers } from './features/practice-books/practice-books-routes.ts';
import { practiceBrandHandlers } from './features/practice-brand/practice-brand-routes.ts';
import { practiceDashboardHandlers } from './features/practice-dashboard/practice-dashboard-routes.ts';
import { practiceHandlers } from './features/practice/practice-routes.ts';
import { pricingHandlers } from './features/pricing/pricing-routes.ts';
import { reconciliationExceptionsHandlers } from './features/reconciliation-exceptions/reconciliation-exceptions-routes.ts';
import { reminderRulesHandlers } from './features/reminder-rules/reminder-rules-routes.ts';
import { returnApprovalsHandlers } from './features/return-approvals/return-approvals-routes.ts';
import { screeningHandlers } from './features/screening/screening-routes.ts';
import { securityHandlers } from './features/security/security-routes.ts';
import { shortfallsHandlers } from './features/shortfalls/shortfalls-routes.ts';
import { staffNotificationsHandlers } from './features/staff-notifications/staff-notifications-routes.ts';
import { syncHandlers } from './features/sync/sync-routes.ts';
import { tasksHandlers } from './features/tasks/tasks-routes.ts';
import { taxStatementsHandlers } from './features/tax-statements/tax-statements-routes.ts';
import { teamInvitationsHandlers } from './features/team/team-invitations-routes.ts';
import { teamHandlers } from './features/team/team-routes.ts';
import { vatGroupsHandlers } from './features/vat-groups/vat-groups-routes.ts';
import { vatReturnsHandlers } from './features/vat-returns/vat-returns-routes.ts';
import { verificationHandlers } from './features/verification/verification-routes.ts';
import { viewingHandlers } from './features/viewing/viewing-routes.ts';
import { companyWebhooksHandlers, webhooksHandlers } from './features/webhooks/webhooks-routes.ts';
import { workItemsHandlers } from './features/work-items/work-items-routes.ts';
import { workTemplatesHandlers } from './features/work-items/work-templates-routes.ts';
import type { HandlerFactories } from './http/serve-contract.ts';

/** The handlers of all endpoints, by subject. */
export const ALL_HANDLERS: HandlerFactories<typeof ALL_ENDPOINTS> = {
  advanceProposals: advanceProposalsHandlers,
  advances: advancesHandlers,
  agent: agentHandlers,
  agentMode: agentModeHandlers,
  apiKeys: apiKeysHandlers,
  approvals: approvalsHandlers,
  assignment: assignmentHandlers,
  authorisationRequests: authorisationRequestsHandlers,
  authorisations: authorisationsHandlers,
  billing: billingHandlers,
  books: booksHandlers,
  booksConnection: booksConnectionHandlers,
  clientBooks: clientBooksHandlers,
  clientDashboard: clientDashboardHandlers,
  clientFiles: clientFilesHandlers,
  clientGroups: clientGroupsHandlers,
  clientImports: clientImportsHandlers,
  clientInvitations: clientInvitationsHandlers,
  clientPortal: clientPortalHandlers,
  clientRequests: clientRequestsHandlers,
  clientReturns: clientReturnsHandlers,
  clients: clientsHandlers,
  companyApiKeys: companyApiKeysHandlers,
  companyLookUp: companyLookUpHandlers,
  companyPeople: companyPeopleHandlers,
  companyWebhooks: companyWebhooksHandlers,
  connectedApps: connectedAppsHandlers,
  connections: connectionsHandlers,
  contact: contactHandlers,
  customerSessions: customerSessionsHandlers,
  dashboard: dashboardHandlers,
  dataProtection: dataProtectionHandlers,
  desk: deskHandlers,
  documents: documentsHandlers,
  engagement: engagementHandlers,
  identity: identityHandlers,
  identityCheck: identityCheckHandlers,
  invitationRuns: invitationRunsHandlers,
  languageModel: languageModelHandlers,
  mailReports: mailReportsHandlers,
  mailbox: mailboxHandlers,
  messageTemplates: messageTemplatesHandlers,
  messages: messagesHandlers,
  nightlyRefresh: nightlyRefreshHandlers,
  notifications: notificationsHandlers,
  onboarding: onboardingHandlers,
  operations: operationsHandlers,
  operatorBilling: operatorBillingHandlers,
  operatorCompanies: operatorCompaniesHandlers,
  operatorMessages: operatorMessagesHandlers,
  operatorPartners: operatorPartnersHandlers,
  operatorPeople: operatorPeopleHandlers,
  operatorPricing: operatorPricingHandlers,
  operators: operatorsHandlers,
  partners: partnersHandlers,
  positionChanges: positionChangesHandlers,
  positions: positionsHandlers,
  practice: practiceHandlers,
  practiceBooks: practiceBooksHandlers,
  practiceBrand: practiceBrandHandlers,
  practiceDashboard: practiceDashboardHandlers,
  priceMoves: priceMovesHandlers,
  pricing: pricingHandlers,
  reconciliationExceptions: reconciliationExceptionsHandlers,
  reminderRules: reminderRulesHandlers,
  returnApprovals: returnApprovalsHandlers,
  screening: screeningHandlers,
  security: securityHandlers,
  shortfalls: shortfallsHandlers,
  staffNotifications: staffNotificationsHandlers,
  sync: syncHandlers,
  tasks: tasksHandlers,
  taxStatements: taxStatementsHandlers,
  team: teamHandlers,
  teamInvitations: teamInvitationsHandlers,
  vatGroups: vatGroupsHandlers,
  vatReturns: vatReturnsHandlers,
  verification: verificationHandlers,
  viewing: viewingHandlers,
  webhooks: webhooksHandlers,
  workItems: workItemsHandlers,
  workTemplates: workTemplatesHandlers,
};
