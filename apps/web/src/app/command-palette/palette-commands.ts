/** The pages and actions that the command palette offers to each kind of user. Pages that don't exist yet are omitted. */
import { EXPORT_TABLE_PATH } from '@portal/contract/clients.ts';
import { findPage, OPEN_TAX_HELP, PAGES } from '@portal/contract/pages.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';
import { normaliseSearchText } from '@portal/domain/clients/search-text.ts';
import type { Session } from '../../core/session-state.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import type { IconName } from '../../ui/icon.tsx';
import { getNavigation } from '../navigation-links.ts';

/** A command that opens a page of the app, downloads a file, or logs out. */
export type PaletteCommand = {
  readonly label: string;
  readonly icon: IconName;
  /** Other words that users might type for it. */
  readonly keywords?: string;
} & ({ readonly to: string; readonly state?: unknown } | { readonly href: string } | { readonly action: 'log_out' });

export type PaletteCommands = { readonly pages: readonly PaletteCommand[]; readonly actions: readonly PaletteCommand[] };

export type PaletteContext = {
  readonly session: Session;
  readonly pathname: string;
  readonly search: string;
  readonly companyId: string;
  /** Whether the user can add and import clients of this practice. */
  readonly isPracticeAdmin: boolean;
  readonly mayExport: boolean;
};

const LOG_OUT: PaletteCommand = { label: 'Log out', icon: 'lock', keywords: 'sign out', action: 'log_out' };

/** Returns whether the palette searches the clients of a practice. */
export function hasClients({ session, pathname, search, companyId }: PaletteContext): boolean {
  return companyId !== '' && getNavigation(session, pathname, search, companyId)?.label === 'OpenTax';
}

export function listCommands(context: PaletteContext): PaletteCommands {
  const { session, pathname, search, companyId } = context;
  const navigation = getNavigation(session, pathname, search, companyId);
  const buildLink = (path: string, query: Readonly<Record<string, string>> = {}): string => {
    const queryText = new URLSearchParams({ ...(companyId === '' ? {} : { company_id: companyId }), ...query }).toString();
    return queryText === '' ? path : `${path}?${queryText}`;
  };
  const pages = [...(navigation?.links ?? []), ...(navigation?.otherLinks ?? [])].map(({ label, to }): PaletteCommand => ({
    label,
    to,
    icon: 'arrowForward',
  }));
  const moreCommands =
    navigation?.label === 'OpenTax' ? listPractice(context, buildLink) : navigation?.label === 'InstantVAT' ? listTrader(buildLink) : OTHER;
  return { pages: [...pages, ...moreCommands.pages].filter(isBuilt), actions: [...moreCommands.actions.filter(isBuilt), LOG_OUT] };
}

type ToLink = (path: string, query?: Readonly<Record<string, string>>) => string;

function listPractice({ isPracticeAdmin, mayExport, companyId }: PaletteContext, link: ToLink): PaletteCommands {
  const admin: readonly PaletteCommand[] = [
    { label: 'Add a client', icon: 'person', keywords: 'new create', to: link(PAGES.practiceClients.path), state: { opens: 'add' } },
    { label: 'Add a team member', icon: 'person', keywords: 'invite colleague', to: link(PAGES.addTeamMember.path) },
    { label: 'Import clients', icon: 'upload', keywords: 'file spreadsheet csv', to: link(PAGES.clientImport.path) },
    { label: 'Import tax statements', icon: 'upload', keywords: 'paye corporation', to: link(PAGES.taxStatements.path) },
  ];
  const file = `${PORTAL_BASE}${EXPORT_TABLE_PATH}?${new URLSearchParams({ company_id: companyId, format: 'csv' })}`;
  return {
    pages: [
      { label: 'Client groups', icon: 'arrowForward', keywords: 'family corporate totals', to: link(PAGES.clientGroups.path) },
      {
        label: 'Client requests',
        icon: 'arrowForward',
        keywords: 'asked documents papers questions answers overdue',
        to: link(PAGES.practiceRequests.path),
      },
      { label: 'Task templates', icon: 'arrowForward', keywords: 'recurring work jobs checklist', to: link(PAGES.workTemplates.path) },
      { label: 'Practice settings', icon: 'arrowForward', to: link(getSettingsPath('practice')) },
      { label: 'Team', icon: 'arrowForward', keywords: 'members colleagues settings', to: link(getSettingsPath('team')) },
      { label: 'Roles', icon: 'arrowForward', keywords: 'permissions settings', to: link(getSettingsPath('roles')) },
      { label: 'Connections', icon: 'arrowForward', keywords: 'hmrc settings', to: link(getSettingsPath('connections')) },
    ],
    actions: [
      ...(isPracticeAdmin ? admin : []),
      ...(mayExport ? [{ label: 'Download all clients as CSV', icon: 'download', keywords: 'export', href: file } as const] : []),
    ],
  };
}

function listTrader(link: ToLink): PaletteCommands {
  return {
    pages: [
      {
        label: 'People with access',
        icon: 'arrowForward',
        keywords: 'invite bookkeeper accountant owner',
        to: link(PAGES.companyPeople.path),
      },
      { label: 'To do', icon: 'arrowForward', keywords: 'tasks pending', to: link(PAGES.pendingTasks.path) },
      { label: 'HMRC connection', icon: 'arrowForward', to: link(PAGES.linkHmrcAccount.path) },
      { label: 'Profile', icon: 'arrowForward', keywords: 'password security account', to: link(PAGES.profile.path) },
      { label: 'Contact us', icon: 'arrowForward', to: PAGES.contact.path },
    ],
    actions: [{ label: 'Add a company', icon: 'bank', keywords: 'new', to: `${PAGES.stepCompany.path}?existing_user=1` }],
  };
}

/** For users without navigation of their own, such as those who haven't set up a company yet. */
const OTHER: PaletteCommands = {
  pages: [
    { label: 'Home', icon: 'arrowForward', to: PAGES.home.path },
    { label: 'Profile', icon: 'arrowForward', to: PAGES.profile.path },
    { label: 'OpenTax help', icon: 'help', to: OPEN_TAX_HELP },
    { label: 'Help', icon: 'help', to: PAGES.help.path },
  ],
  actions: [],
};

const isBuilt = (command: PaletteCommand): boolean => !('to' in command) || findPage(command.to.split('?')[0] ?? '') !== undefined;

/** Returns the commands for which every typed word starts a word of the label or a keyword. Empty text matches all commands. */
export function filterCommands(commands: readonly PaletteCommand[], text: string): PaletteCommand[] {
  const searchTerms = normaliseSearchText(text)
    .split(' ')
    .filter((word) => word !== '');
  return commands.filter(({ label, keywords = '' }) => {
    const words = normaliseSearchText(`${label} ${keywords}`).split(' ');
    return searchTerms.every((start) => words.some((word) => word.startsWith(start)));
  });
}
