/** The command palette: a practice's clients or a trader's companies, pages and actions. Loaded when it is opened. */
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { practiceApi } from '@portal/contract/practice.ts';
import { findMatchedField, normaliseSearchText, parseClientSearch, SEARCHABLE_FIELDS } from '@portal/domain/clients/search-text.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { apiQuery } from '../../lib/api.ts';
import { getClientLink, STATUS_NAMES } from '../../lib/client-labels.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useDebouncedText } from '../../lib/use-debounced-text.ts';
import { CommandDialog, type CommandGroup, type CommandItem } from '../../ui/command-dialog.tsx';
import { getCompanyLink } from '../company-link.ts';
import { useLogOut } from '../log-out.ts';
import { filterCommands, hasClients, listCommands, type PaletteCommand } from './palette-commands.ts';

type FoundClient = EndpointOutput<typeof clientDashboardApi.companies>['companies'][number];

const MAX_CLIENTS = 8;

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [searchText, setText] = useState('');
  const { session } = useSession();
  const { pathname, search } = useLocation();
  const { companyId } = useCompanyId();
  const navigate = useNavigate();
  const runCommand = useRunCommand(onClose);
  const searchesClients = hasClients({ session, pathname, search, companyId, isPracticeAdmin: false, mayExport: false });
  const profile = useQuery({ ...apiQuery(practiceApi.accountantProfile, { company_id: companyId }), enabled: searchesClients });
  const isPracticeAdmin = profile.data?.role === 'admin';
  const mayExport = profile.data?.permissions.includes('export') ?? false;
  const context = { session, pathname, search, companyId, isPracticeAdmin, mayExport };
  const { clients, error, isSearching } = useClientSearch(searchesClients ? companyId : '', searchText);
  const companies = useQuery({ ...apiQuery(identityApi.userCompanies, {}), enabled: session.status === 'signed_in' && !searchesClients });
  const open = (to: string): void => {
    onClose();
    void navigate(to);
  };
  const { pages, actions } = listCommands(context);
  const toItem = (command: PaletteCommand): CommandItem => ({ ...command, key: command.label, run: () => runCommand(command) });
  const companyItems = (companies.data ?? [])
    .filter(({ name }) => includesAllWords(name, searchText))
    .map((company): CommandItem => ({
      key: company.company_id,
      label: company.name,
      icon: 'bank',
      detail: company.company_id === companyId ? 'Current' : undefined,
      run: () => open(getCompanyLink(company, pathname)),
    }));
  const clientItems = clients.map((client): CommandItem =>
    toClientItem(client, () => open(getClientLink(companyId, client.client_id) ?? '')),
  );
  const query = searchText.trim();
  const allClients: CommandItem = {
    key: 'all clients',
    label: `Show all clients that match “${query}”`,
    icon: 'search',
    run: () => open(getPageLink('practiceClients', { company_id: companyId, q: query })),
  };
  const groups: CommandGroup[] = [
    { value: 'Clients', items: clientItems.length > 0 ? [...clientItems, allClients] : [] },
    { value: 'Companies', items: companyItems.length > 1 || query !== '' ? companyItems : [] },
    { value: 'Pages', items: filterCommands(pages, searchText).map(toItem) },
    { value: 'Actions', items: filterCommands(actions, searchText).map(toItem) },
  ].filter(({ items }) => items.length > 0);
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const note = getNote({ error, isSearching, count });
  return (
    <CommandDialog
      heading={searchesClients ? 'Search clients, pages and actions' : 'Search companies, pages and actions'}
      placeholder={searchesClients ? 'Name, reference, postcode, email, phone or page' : 'Company, page or action'}
      text={searchText}
      onType={setText}
      groups={groups}
      announcement={isSearching ? '' : `${count} ${count === 1 ? 'result' : 'results'}`}
      note={note}
      onClose={onClose}
    />
  );
}

function getNote({ error, isSearching, count }: { error: Error | null; isSearching: boolean; count: number }): string | null {
  if (error !== null) return `We couldn’t search your clients. ${getErrorText(error)}`;
  if (count > 0) return null;
  return isSearching ? 'Searching…' : 'No matches. Try part of a name, or a reference without its last characters.';
}

function useRunCommand(onClose: () => void): (command: PaletteCommand) => void {
  const navigate = useNavigate();
  const logOut = useLogOut();
  return (command) => {
    onClose();
    if ('action' in command) logOut();
    else if ('href' in command) location.assign(command.href);
    else void navigate(command.to, { state: command.state });
  };
}

/**
 * Returns the clients found for the text. While a search for new text is running, returns those of the previous results that still match.
 */
function useClientSearch(companyId: string, text: string) {
  const q = useDebouncedText(text.trim());
  const isEnabled = companyId !== '' && text.trim() !== '' && q !== '';
  const companiesQuery = useQuery({
    ...apiQuery(clientDashboardApi.companies, { company_id: companyId, q, limit: MAX_CLIENTS }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  const isSearching = isEnabled && (companiesQuery.isFetching || q !== text.trim());
  const allCompanies = isEnabled ? (companiesQuery.data?.companies ?? []) : [];
  const clients = isSearching ? allCompanies.filter((client) => isStillMatch(client, text)) : allCompanies;
  return { clients, isSearching, error: isEnabled ? companiesQuery.error : null };
}

const NO_DETAILS = Object.fromEntries(SEARCHABLE_FIELDS.map((field) => [field, null])) as Record<(typeof SEARCHABLE_FIELDS)[number], null>;

function isStillMatch({ name, matched }: FoundClient, text: string): boolean {
  if (includesAllWords(name, text)) return true;
  return matched !== null && findMatchedField(text, { ...NO_DETAILS, name: '', [matched.field]: matched.value }) !== null;
}

function includesAllWords(name: string, text: string): boolean {
  const normalised = normaliseSearchText(name);
  const alternatives = parseClientSearch(text);
  return alternatives.length === 0 || alternatives.some((words) => words.every((word) => normalised.includes(word)));
}

const FIELD_NAMES: Readonly<Record<(typeof SEARCHABLE_FIELDS)[number], string>> = {
  client_code: 'Code',
  vrn: 'VAT',
  vat_group_vrn: 'VAT group',
  utr: 'UTR',
  company_number: 'Company',
  nino: 'NI',
  paye_reference: 'PAYE',
  accounts_office_reference: 'Accounts Office',
  postcode: 'Postcode',
  email: 'Email',
  phone: 'Phone',
};

function toClientItem({ client_id: key, name, status, client_code: code, matched }: FoundClient, run: () => void): CommandItem {
  const reference = matched === null ? code : `${FIELD_NAMES[matched.field]} ${matched.value}`;
  const detail = [status === 'active' ? '' : STATUS_NAMES[status], reference ?? ''].filter((part) => part !== '').join(' · ');
  return { key, label: name, icon: 'person', detail: detail === '' ? undefined : detail, run };
}
