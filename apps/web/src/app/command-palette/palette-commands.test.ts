import { expect, it } from 'vitest';
import type { Session } from '../../core/session-state.ts';
import { filterCommands, hasClients, listCommands } from './palette-commands.ts';

const createSession = (type: 'trader' | 'practice' | 'operator' | 'new'): Session => ({ status: 'signed_in', person: { type } });
const createContextAt = (type: Parameters<typeof createSession>[0], pathname: string, isPracticeAdmin = false) => ({
  session: createSession(type),
  pathname,
  search: '',
  companyId: 'c-1',
  isPracticeAdmin,
  mayExport: true,
});
const listLabels = (commands: readonly { readonly label: string }[]): string[] => commands.map(({ label }) => label);

it('a practice is offered its pages, and adding clients only if the user is an admin', () => {
  const context = createContextAt('practice', '/v2/open-tax/dashboard');
  expect(hasClients(context)).toBe(true);
  expect(listLabels(listCommands(context).pages)).toEqual(
    expect.arrayContaining(['Today', 'Clients', 'Calendar', 'Settings', 'Connections']),
  );
  expect(listLabels(listCommands(context).actions)).toEqual(['Download all clients as CSV', 'Log out']);
  expect(listLabels(listCommands({ ...context, isPracticeAdmin: true }).actions)).toContain('Add a client');
});

it('a trader and an operator are offered their own pages, without clients', () => {
  const trader = createContextAt('trader', '/v2/instant-vat/dashboard');
  expect(hasClients(trader)).toBe(false);
  expect(listLabels(listCommands(trader).pages)).toEqual(expect.arrayContaining(['Overview', 'VAT returns', 'Refunds', 'Books', 'To do']));
  expect(listLabels(listCommands(createContextAt('operator', '/admin')).pages)).toEqual(expect.arrayContaining(['Work queue', 'Ledger']));
  expect(listLabels(listCommands(createContextAt('new', '/home')).pages)).toContain('Home');
});

it('every link to a company’s page keeps the company', () => {
  const { pages } = listCommands(createContextAt('trader', '/v2/instant-vat/dashboard'));
  const withoutCompany = pages.filter((command) => 'to' in command && !command.to.includes('company_id=c-1'));
  expect(listLabels(withoutCompany)).toEqual(['Contact us']);
});

it('commands are found by the beginnings of their words and by synonyms', () => {
  const { pages, actions } = listCommands(createContextAt('practice', '/v2/open-tax/dashboard', true));
  expect(listLabels(filterCommands(pages, 'cal'))).toEqual(['Calendar']);
  expect(listLabels(filterCommands(pages, 'hmrc'))).toEqual(['Connections']);
  expect(listLabels(filterCommands(actions, 'client add'))).toEqual(['Add a client']);
  expect(listLabels(filterCommands(actions, 'sign out'))).toEqual(['Log out']);
  expect(filterCommands(pages, 'alendar')).toEqual([]);
});
