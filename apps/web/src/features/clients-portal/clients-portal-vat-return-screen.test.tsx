// Tests that a client's VAT return shows its practice's name or logo, as the portal's other pages do.
import { practiceBrandApi, type PracticeBrand } from '@portal/contract/practice-brand.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { ClientsPortalVatReturnScreen } from './clients-portal-vat-return-screen.tsx';

const [COMPANY, APPROVAL] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
const LOGO = 'data:image/png;base64,iVBORw0KGgo=';

let undo = () => undefined as void;
afterEach(() => {
  cleanup();
  undo();
});

function open(brand: PracticeBrand, query = `company_id=${COMPANY}&approval_id=${APPROVAL}`): void {
  undo = setTransport((endpoint) => (endpoint === practiceBrandApi.ofClient ? Promise.resolve(brand) : new Promise(() => undefined)));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter initialEntries={[`/?${query}`]}>
        <AppProviders>
          <ClientsPortalVatReturnScreen />
        </AppProviders>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}
const OAKLINE = { name: 'Oakline Accounting', colour: null, shades: null, logo: null };

it('shows the practice’s logo, or its name', async () => {
  open({ ...OAKLINE, logo: LOGO });
  expect((await screen.findByRole('img', { name: 'Oakline Accounting' })).getAttribute('src')).toBe(LOGO);
});

it('shows the practice’s name if the return can’t be found', async () => {
  open(OAKLINE, `company_id=${COMPANY}`);
  expect(await screen.findByText('Oakline Accounting')).toBeTruthy();
  expect(screen.getByText('We can’t find this return')).toBeTruthy();
});
