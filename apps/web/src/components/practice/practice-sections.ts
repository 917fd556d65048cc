/** The sections of OpenTax, each with its pages. */
import { PAGES } from '@portal/contract/pages.ts';
import type { NavigationLink } from '../../lib/navigation-link.ts';

export const PRACTICE_SECTIONS: readonly NavigationLink[] = [
  { label: 'Today', to: PAGES.practiceDashboard.path },
  {
    label: 'Clients',
    to: PAGES.practiceClients.path,
    paths: [
      PAGES.clientDashboard.path,
      PAGES.clientImport.path,
      PAGES.taxStatements.path,
      PAGES.clientGroups.path,
      PAGES.clientGroup.path,
      PAGES.clientInvitations.path,
    ],
  },
  { label: 'VAT returns', to: PAGES.practiceVatReturns.path, paths: [PAGES.clientVatReturn.path, PAGES.practiceBooks.path] },
  { label: 'Tasks', to: PAGES.workItems.path, paths: [PAGES.workTemplates.path, PAGES.practiceRequests.path] },
  { label: 'Assistant', to: PAGES.agenticMode.path },
  { label: 'Messages', to: PAGES.practiceMessages.path, paths: [PAGES.reminderRules.path, PAGES.messageTemplates.path] },
  { label: 'Calendar', to: PAGES.practiceCalendar.path },
  {
    label: 'Settings',
    to: PAGES.practiceSettings.path,
    paths: [...PAGES.practiceSettings.otherPaths, PAGES.premiumSetup.path, PAGES.addTeamMember.path, PAGES.memberAccessReport.path],
  },
];
