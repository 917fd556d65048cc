// Written by scripts/write-registries.ts, which every npm command runs. Do not edit.
import type { ComponentType } from 'react';

/** The screen of each of these pages, loaded when it is opened. */
export const PRACTICE_SCREENS = {
  practiceDashboard: () =>
    import('../../features/practice-dashboard/practice-dashboard-screen.tsx').then((module) => module.PracticeDashboardScreen),
  practiceClients: () => import('../../features/clients/clients-screen.tsx').then((module) => module.ClientsScreen),
  clientDashboard: () =>
    import('../../features/client-dashboard/client-dashboard-screen.tsx').then((module) => module.ClientDashboardScreen),
  practiceCalendar: () =>
    import('../../features/practice-calendar/practice-calendar-screen.tsx').then((module) => module.PracticeCalendarScreen),
  workItems: () => import('../../features/work-items/work-items-screen.tsx').then((module) => module.WorkItemsScreen),
  practiceRequests: () =>
    import('../../features/practice-requests/practice-requests-screen.tsx').then((module) => module.PracticeRequestsScreen),
  workTemplates: () => import('../../features/work-templates/work-templates-screen.tsx').then((module) => module.WorkTemplatesScreen),
  agenticMode: () => import('../../features/agent/agentic-mode-screen.tsx').then((module) => module.AgenticModeScreen),
  practiceMessages: () => import('../../features/messages/practice-messages-screen.tsx').then((module) => module.PracticeMessagesScreen),
  reminderRules: () => import('../../features/reminder-rules/reminder-rules-screen.tsx').then((module) => module.ReminderRulesScreen),
  messageTemplates: () =>
    import('../../features/message-templates/message-templates-screen.tsx').then((module) => module.MessageTemplatesScreen),
  staffNotifications: () =>
    import('../../features/staff-notifications/staff-notifications-screen.tsx').then((module) => module.StaffNotificationsScreen),
  unsubscribe: () => import('../../features/unsubscribe/unsubscribe-screen.tsx').then((module) => module.UnsubscribeScreen),
  premiumSetup: () => import('../../features/premium-setup/premium-setup-screen.tsx').then((module) => module.PremiumSetupScreen),
  openTaxSignup: () => import('../../features/practice-landing/sign-up-screen.tsx').then((module) => module.OpenTaxSignUpScreen),
  practiceStepPractice: () => import('../../features/practice-steps/practice-screen.tsx').then((module) => module.PracticeScreen),
  practiceStepArn: () => import('../../features/practice-steps/arn-screen.tsx').then((module) => module.ArnScreen),
  practiceStepHmrc: () => import('../../features/practice-steps/hmrc-screen.tsx').then((module) => module.HmrcScreen),
  practiceStepTaxes: () => import('../../features/practice-steps/taxes-screen.tsx').then((module) => module.TaxesScreen),
  practiceStepImport: () => import('../../features/practice-steps/import-screen.tsx').then((module) => module.ImportScreen),
  practiceStepTeam: () => import('../../features/practice-steps/team-screen.tsx').then((module) => module.TeamScreen),
  openTaxXeroDeclined: () => import('../../features/practice-landing/xero-declined-screen.tsx').then((module) => module.XeroDeclinedScreen),
  openTaxContact: () => import('../../features/contact/contact-screen.tsx').then((module) => module.ContactScreen),
  openTaxFreeagent: () => import('../../features/practice-landing/partner-screen.tsx').then((module) => module.FreeagentScreen),
  openTaxNomi: () => import('../../features/practice-landing/partner-screen.tsx').then((module) => module.NomiScreen),
  clientSignUp: () => import('../../features/identity/client-sign-up-screen.tsx').then((module) => module.ClientSignUpScreen),
  clientsPortalDashboard: () =>
    import('../../features/clients-portal/clients-portal-dashboard-screen.tsx').then((module) => module.ClientsPortalDashboardScreen),
  clientsPortalPapers: () =>
    import('../../features/clients-portal/clients-portal-papers-screen.tsx').then((module) => module.ClientsPortalPapersScreen),
  clientsPortalMessages: () =>
    import('../../features/clients-portal/clients-portal-messages-screen.tsx').then((module) => module.ClientsPortalMessagesScreen),
  clientsPortalSettings: () =>
    import('../../features/clients-portal/clients-portal-settings-screen.tsx').then((module) => module.ClientsPortalSettingsScreen),
  clientsPortalVatReturn: () =>
    import('../../features/clients-portal/clients-portal-vat-return-screen.tsx').then((module) => module.ClientsPortalVatReturnScreen),
  practiceVatReturns: () =>
    import('../../features/client-vat-returns/practice-vat-returns-screen.tsx').then((module) => module.PracticeVatReturnsScreen),
  practiceBooks: () => import('../../features/practice-books/practice-books-screen.tsx').then((module) => module.PracticeBooksScreen),
  clientVatReturn: () =>
    import('../../features/client-vat-returns/client-vat-return-screen.tsx').then((module) => module.ClientVatReturnScreen),
  clientImport: () => import('../../features/client-imports/client-import-screen.tsx').then((module) => module.ClientImportScreen),
  clientInvitations: () =>
    import('../../features/client-invitations/client-invitations-screen.tsx').then((module) => module.ClientInvitationsScreen),
  clientGroups: () => import('../../features/client-groups/client-groups-screen.tsx').then((module) => module.ClientGroupsScreen),
  clientGroup: () => import('../../features/client-groups/client-group-screen.tsx').then((module) => module.ClientGroupScreen),
  taxStatements: () => import('../../features/tax-statements/tax-statements-screen.tsx').then((module) => module.TaxStatementsScreen),
  addTeamMember: () => import('../../features/team/add-team-member-screen.tsx').then((module) => module.AddTeamMemberScreen),
  memberAccessReport: () => import('../../features/team/member-access-report-screen.tsx').then((module) => module.MemberAccessReportScreen),
  practiceSettings: () => import('../../features/practice-settings/settings-screen.tsx').then((module) => module.SettingsScreen),
} as const satisfies Readonly<Record<string, () => Promise<ComponentType>>>;
