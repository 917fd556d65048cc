/** Tests that a member's VAT is “not applicable” with a link to its representative member, and that an admin can set the group. */
import type { VatGroup } from '@portal/contract/vat-groups.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import type { ClientProfile } from './client-page.ts';
import { listClientTabs, parseClientTab } from './client-tabs.ts';
import { VatGroupCard } from './vat-group-card.tsx';

let undo = () => undefined as void;
afterEach(() => {
  cleanup();
  undo();
});

const CLIENT_IDS = { companyId: '0190a000-0000-7000-8000-000000000001', clientId: '0190a000-0000-7000-8000-000000000002' };
const ADMIN = {
  company_id: CLIENT_IDS.companyId,
  name: 'Oakline Accounting',
  full_name: 'Priya Oakes',
  email: 'priya@oakline.example',
  role: 'admin',
  permissions: [],
  company_number: null,
  arn: null,
  agent_code_ct: null,
  agent_code_paye: null,
  agent_code_sa: null,
  taxes: [],
  address: null,
  lead_days: {},
  hmrc: { status: 'connected', connected_at: null, ends_at: null },
};
const ALDER = { client_id: '0190a000-0000-7000-8000-000000000003', name: 'Alder Holdings Ltd' };
const MEMBER: VatGroup = { role: 'member', vrn: '193054661', representative: ALDER, members: [] };

function show(group: VatGroup | null) {
  const sentBodies: unknown[] = [];
  undo = setTransport(async (endpoint, input) => {
    if (endpoint.method === 'POST') sentBodies.push(input);
    if (endpoint.path === '/client/companies') return { companies: [{ ...ALDER, status: 'active', client_code: null, matched: null }] };
    return { ...ADMIN, done: true };
  });
  const client = { full_name: 'Birch Ltd', taxes: [], vat_group: group } as unknown as ClientProfile;
  render(
    <MemoryRouter>
      <QueryClientProvider client={createQueryClient()}>
        <AppProviders>
          <VatGroupCard ids={CLIENT_IDS} client={client} />
        </AppProviders>
      </QueryClientProvider>
    </MemoryRouter>,
  );
  return sentBodies;
}

it('says in words that a member’s VAT isn’t applicable, and links to its representative member', async () => {
  show(MEMBER);
  expect(screen.getByText(/^Not applicable: in the VAT group of/u).textContent).toBe(
    'Not applicable: in the VAT group of Alder Holdings Ltd (VAT number 193 0546 61)',
  );
  expect(screen.getByRole('link', { name: 'Alder Holdings Ltd' }).getAttribute('href')).toContain(ALDER.client_id);
});

it('names the group by its number, or not at all, if its representative member isn’t a client', () => {
  show({ ...MEMBER, representative: null });
  expect(screen.getByText('Not applicable: in a VAT group (VAT number 193 0546 61)')).toBeTruthy();
  cleanup();
  show({ ...MEMBER, representative: null, vrn: null });
  expect(screen.getByText('Not applicable: in a VAT group')).toBeTruthy();
});

it('lists the members at their representative member', () => {
  show({ role: 'representative', vrn: '193054661', representative: null, members: [ALDER] });
  expect(screen.getByRole('list', { name: 'Members of the VAT group' }).textContent).toBe('Alder Holdings Ltd');
});

it('doesn’t say that there are no other members, because a colleague may not see them', () => {
  show({ role: 'representative', vrn: '193054661', representative: null, members: [] });
  expect(screen.getByText(/^Representative member/u).textContent).toBe(
    'Representative member: files the group’s VAT returns and pays its VAT. None of your clients is recorded as another member.',
  );
});

it('lets an admin choose the representative member among the clients', async () => {
  const sentBodies = show(null);
  fireEvent.click(await screen.findByRole('button', { name: 'Set VAT group' }));
  const save = await screen.findByRole('button', { name: 'Save VAT group' });
  expect(save.hasAttribute('disabled') || save.getAttribute('aria-disabled') === 'true').toBe(true);
  expect(screen.getByText('Change the role or the group.')).toBeTruthy();
  fireEvent.click(await screen.findByRole('radio', { name: /^Another member/u }));
  const field = screen.getByRole('combobox', { name: /^Representative member, if/u });
  // Base UI opens the list only for typed text, whose events have an input type.
  fireEvent.input(field, { target: { value: 'Alder' }, inputType: 'insertText' });
  fireEvent.click(await screen.findByRole('option', { name: /Alder Holdings Ltd/u }));
  expect(screen.queryByLabelText(/^The group’s VAT number/u)).toBeNull();
  fireEvent.click(save);
  await expect
    .poll(() => sentBodies)
    .toContainEqual({
      company_id: CLIENT_IDS.companyId,
      client_id: CLIENT_IDS.clientId,
      role: 'member',
      representative_id: ALDER.client_id,
    });
});

it('has a VAT section for a member, although VAT isn’t among its taxes', () => {
  const client = { taxes: ['ct'], vat_group: MEMBER } as const;
  expect(parseClientTab('vat', { ...client, taxes: [...client.taxes] })).toBe('vat');
  expect(listClientTabs({ taxes: ['ct'], vat_group: null }).map(({ tab }) => tab)).not.toContain('vat');
});
