/** OpenTax: a practice's pages and its sign-up. */
import { OPEN_TAX_TITLE, type Page } from './page.ts';

const PUBLIC = { access: 'public', title: OPEN_TAX_TITLE } as const;
const PRACTICE = { access: 'signed_in', title: OPEN_TAX_TITLE, header: 'practitioner' } as const;

const CLIENTS_PORTAL_PAGE = { access: 'signed_in', title: OPEN_TAX_TITLE, header: 'clients_portal' } as const;

export const PRACTICE_PAGES = {
  practiceDashboard: { ...PRACTICE, path: '/v2/open-tax/dashboard', section: 'Today' },
  practiceClients: { ...PRACTICE, path: '/v2/open-tax/clients', section: 'Clients', screen: 'ClientsScreen' },
  clientDashboard: { ...PRACTICE, path: '/v2/open-tax/client-dashboard', section: 'Client' },
  practiceCalendar: { ...PRACTICE, path: '/v2/open-tax/calendar', section: 'Calendar' },
  /** The practice's own tasks; `?task=` opens one. */
  workItems: { ...PRACTICE, path: '/v2/open-tax/tasks', section: 'Tasks' },
  /** Requests to clients. */
  practiceRequests: { ...PRACTICE, path: '/v2/open-tax/tasks/requests', section: 'Client requests' },
  workTemplates: { ...PRACTICE, path: '/v2/open-tax/tasks/templates', section: 'Task templates' },
  /** The assistant. `?view=` selects a column on a phone, or the rules. */
  agenticMode: { ...PRACTICE, path: '/v2/open-tax/agentic-mode', section: 'Assistant' },
  /** Messages to clients. `?message_id=` shows one message with its outcomes. */
  practiceMessages: { ...PRACTICE, path: '/v2/open-tax/messages', section: 'Messages' },
  /** Rules that remind clients of deadlines. */
  reminderRules: { ...PRACTICE, path: '/v2/open-tax/messages/reminders', section: 'Reminder rules' },
  messageTemplates: { ...PRACTICE, path: '/v2/open-tax/messages/templates', section: 'Message templates' },
  /** The user's own notifications. */
  staffNotifications: { ...PRACTICE, path: '/v2/open-tax/notifications', section: 'Notifications' },
  /** Opened by the link in notification emails: `?link=`. */
  unsubscribe: { ...PUBLIC, path: '/unsubscribe', section: 'Unsubscribe' },
  premiumSetup: { ...PRACTICE, path: '/v2/instant-vat/premium/setup', section: 'Plan and price' },
  // OpenTax sign-up for a practice (docs/product/specification.md section 2.3). The steps are public pages, but their requests aren't.
  openTaxLanding: { ...PUBLIC, path: '/v2/open-tax', kind: 'landing' },
  openTaxSignup: { ...PUBLIC, path: '/v2/open-tax/signup', section: 'Sign up', screen: 'OpenTaxSignUpScreen' },
  practiceStepPractice: { ...PUBLIC, path: '/v2/open-tax/steps/practice', section: 'Your practice', screen: 'PracticeScreen' },
  practiceStepArn: { ...PUBLIC, path: '/v2/open-tax/steps/arn', section: 'Agent reference number', screen: 'ArnScreen' },
  practiceStepHmrc: { ...PUBLIC, path: '/v2/open-tax/steps/hmrc', section: 'Connect HMRC', screen: 'HmrcScreen' },
  practiceStepTaxes: { ...PUBLIC, path: '/v2/open-tax/steps/taxes', section: 'Taxes', screen: 'TaxesScreen' },
  practiceStepImport: { ...PUBLIC, path: '/v2/open-tax/steps/import', section: 'Your clients', screen: 'ImportScreen' },
  practiceStepTeam: { ...PUBLIC, path: '/v2/open-tax/steps/team', section: 'Team', screen: 'TeamScreen' },
  openTaxXeroDeclined: { ...PUBLIC, path: '/v2/open-tax/xero-declined', section: 'Xero', screen: 'XeroDeclinedScreen' },
  openTaxContact: { ...PUBLIC, path: '/v2/open-tax/contact-us', section: 'Contact us', screen: 'ContactScreen' },
  openTaxFreeagent: { ...PUBLIC, path: '/v2/open-tax/partners/freeagent', section: 'FreeAgent', screen: 'FreeagentScreen' },
  openTaxNomi: { ...PUBLIC, path: '/v2/open-tax/partners/nomi', section: 'Nomi', screen: 'NomiScreen' },
  /** Opened by a client’s invitation: `?token=`. */
  clientSignUp: {
    ...PUBLIC,
    path: '/v2/open-tax/client-signup',
    section: 'Client sign-up',
    otherPaths: ['/v2/open-tax/client-signup/invitation'],
  },
  /** The pages for a practice’s clients. `company_id` is the client. */
  clientsPortalDashboard: { ...CLIENTS_PORTAL_PAGE, path: '/v2/open-tax/clients-portal/dashboard', section: 'Your taxes' },
  clientsPortalPapers: { ...CLIENTS_PORTAL_PAGE, path: '/v2/open-tax/clients-portal/papers', section: 'Your documents' },
  clientsPortalMessages: { ...CLIENTS_PORTAL_PAGE, path: '/v2/open-tax/clients-portal/messages', section: 'Your messages' },
  clientsPortalSettings: { ...CLIENTS_PORTAL_PAGE, path: '/v2/open-tax/clients-portal/settings', section: 'Your settings' },
  /** Figures for the client to approve, or a filed return: `?approval_id=`. */
  clientsPortalVatReturn: { ...CLIENTS_PORTAL_PAGE, path: '/v2/open-tax/clients-portal/vat-return', section: 'Your VAT return' },
  /** VAT returns of all clients, by stage. */
  practiceVatReturns: { ...PRACTICE, path: '/v2/open-tax/vat-returns', section: 'VAT returns' },
  /** Bookkeeping software connected for all clients, and the client of each organisation. */
  practiceBooks: { ...PRACTICE, path: '/v2/open-tax/client-books', section: 'Clients’ books' },
  /** `?client_id=`, `?obligation_id=`. */
  clientVatReturn: { ...PRACTICE, path: '/v2/open-tax/client-vat-return', section: 'Client’s VAT return' },
  clientImport: { ...PRACTICE, path: '/v2/open-tax/clients/import', section: 'Import clients' },
  /** Invitations to the client portal: their states, and bulk runs. `?run_id=` shows one run. */
  clientInvitations: { ...PRACTICE, path: '/v2/open-tax/clients/invitations', section: 'Invitations' },
  clientGroups: { ...PRACTICE, path: '/v2/open-tax/clients/groups', section: 'Client groups' },
  /** `?group_id=`. */
  clientGroup: { ...PRACTICE, path: '/v2/open-tax/clients/group', section: 'Client group' },
  /** PAYE and corporation tax statements that the practice exports from HMRC's pages. */
  taxStatements: { ...PRACTICE, path: '/v2/open-tax/clients/statements', section: 'Tax statements' },
  addTeamMember: { ...PRACTICE, path: '/v2/open-tax/add-a-team-member', section: 'Add a team member' },
  /** What a member was able to see and what they did: `?user_id=`. */
  memberAccessReport: { ...PRACTICE, path: '/v2/open-tax/settings/team/access-report', section: 'Access report' },
  /** Each additional path is a tab. */
  practiceSettings: {
    ...PRACTICE,
    path: '/v2/open-tax/settings',
    section: 'Settings',
    screen: 'SettingsScreen',
    otherPaths: [
      '/v2/open-tax/settings/practice',
      '/v2/open-tax/settings/team',
      '/v2/open-tax/settings/roles',
      '/v2/open-tax/settings/connections',
      '/v2/open-tax/settings/billing',
      '/v2/open-tax/settings/invoices',
      '/v2/open-tax/settings/developers',
      '/v2/open-tax/settings/notifications',
    ],
  },
} as const satisfies Record<string, Page>;
