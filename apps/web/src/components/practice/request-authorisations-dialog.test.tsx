// Tests bulk requests: the number and a sample before anything is created, exactly that number afterwards, and links for the practice to
// send.
import { authorisationRequestsApi } from '@portal/contract/authorisation-requests.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { ApiError, setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { RequestAuthorisationsDialog } from './request-authorisations-dialog.tsx';

const RUN_ID = '00000000-0000-4000-8000-000000000009';
const CLIENT_ID = '00000000-0000-4000-8000-000000000001';
const PREVIEW = {
  ready: 958,
  sample: [{ client_id: CLIENT_ID, name: 'Alder Bakery Ltd' }],
  skipped: [{ reason: 'no_fact', clients: 2, sample: [] }],
  minutes: 6,
  emails_clients: true,
  without_email: 3,
};

const PROFILE = {
  company_id: '00000000-0000-4000-8000-000000000002',
  name: 'Oakline Accounting',
  full_name: 'Priya Oakes',
  email: 'priya@oakline.example',
  role: 'admin',
  permissions: ['export'],
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

let undo = () => undefined as void;
afterEach(() => {
  cleanup();
  undo();
});

type Answers = Readonly<Record<string, (input: Record<string, unknown>) => unknown>>;

/** Responds by path and method. Records the bodies of requests that would create something. */
function open(responses: Answers, tax?: 'sa' | 'ct') {
  const startedInputs: unknown[] = [];
  undo = setTransport(async (endpoint, input) => {
    if (endpoint === authorisationRequestsApi.start) startedInputs.push(input);
    const endpointResponse = responses[`${endpoint.method} ${endpoint.path}`];
    return endpointResponse === undefined ? new Promise(() => undefined) : endpointResponse(input);
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter>
        <AppProviders>
          <RequestAuthorisationsDialog
            companyId="p-1"
            selection={{ matching: { filters: { authorisation: 'missing' }, count: 960 } }}
            count={960}
            tax={tax}
            onClose={() => undefined}
          />
        </AppProviders>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return startedInputs;
}

const { preview, start, latest, links } = authorisationRequestsApi;
const onPreview = { [`${preview.method} ${preview.path}`]: () => PREVIEW };

it('says how many clients get a request, with a sample, and why the others don’t, before anything is created', async () => {
  const startedInputs = open(onPreview, 'sa');
  const readyLink = await screen.findByRole('link', { name: '958 clients' });
  expect(readyLink.parentElement?.textContent).toBe('958 clients will get a request: Alder Bakery Ltd and 957 more.');
  // Each number links to the list with the same filters, narrowed to that outcome of the preview.
  expect(readyLink.getAttribute('href')).toMatch(/authorisation=missing.*request_plan=sa%3Aready/);
  expect(screen.getByRole('link', { name: '2 clients' }).getAttribute('href')).toContain('request_plan=sa%3Ano_fact');
  expect(screen.getByRole('list', { name: 'Clients without a request' }).textContent).toBe(
    '2 clients without the VAT registration date or postcode HMRC checks',
  );
  expect(
    screen.getByText(/about 6 minutes, and email it. 3 clients have no email address: you’ll need to send their links yourself./),
  ).toBeTruthy();
  expect(screen.getByRole('combobox', { name: 'Tax' })).toHaveProperty('value', 'sa');
  expect(startedInputs).toEqual([]);
});

it('can’t create requests where none is needed', async () => {
  open({ [`${preview.method} ${preview.path}`]: () => ({ ...PREVIEW, ready: 0, sample: [] }) });
  expect(await screen.findByText('None of these clients needs a request for this tax.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Create 0 requests' })).toHaveProperty('disabled', true);
});

it('creates exactly the number that was shown, not emailed if an admin chose so, then offers the links', async () => {
  const run = { run_id: RUN_ID, tax: 'vat', started_at: '2026-11-22T03:04:00.000Z', reason: null, total: 958, queued: 0 };
  const startedInputs = open({
    ...onPreview,
    'GET /open-tax/accountant-profile': () => PROFILE,
    [`${start.method} ${start.path}`]: () => ({ run_id: RUN_ID, queued: 958 }),
    [`${latest.method} ${latest.path}`]: () => ({
      run: { ...run, ended_at: '2026-11-22T03:10:00.000Z', outcomes: [{ outcome: 'created', clients: 958, examples: [] }] },
    }),
    [`${links.method} ${links.path}`]: () => ({
      links: [
        { client_id: CLIENT_ID, name: 'Alder Bakery Ltd', email: null, url: 'https://hmrc.example/1', expires_on: null, emailed: null },
      ],
    }),
  });
  const choice = await screen.findByRole('checkbox', { name: /^Email each client HMRC’s link/ });
  await waitFor(() => expect(choice).toHaveProperty('disabled', false));
  fireEvent.click(choice);
  expect(screen.getByText(/about 6 minutes. Nothing is sent to your clients/)).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'Create 958 requests' }));
  expect((await screen.findByText(/^VAT requests: 958 of/)).textContent).toBe('VAT requests: 958 of 958 clients done');
  // The number links to the run's clients.
  const [all, createdLink] = screen.getAllByRole('link', { name: '958 clients' }).map((link) => link.getAttribute('href'));
  expect(all).toContain('action=requests%3A');
  expect(createdLink).toContain('action=requests_created%3A');
  expect(await screen.findByText('1 link is waiting for a response for VAT: 1 not emailed.')).toBeTruthy();
  expect((await screen.findByRole('link', { name: 'Download links (CSV)' })).getAttribute('href')).toContain('tax=vat');
  const selection = { matching: { filters: { authorisation: 'missing' }, count: 960 }, count: 958 };
  expect(startedInputs).toEqual([{ company_id: 'p-1', tax: 'vat', ...selection, emails_clients: false }]);
});

it('says that nothing was created if the number has changed, and counts again', async () => {
  let counts = 0;
  open({
    [`${preview.method} ${preview.path}`]: () => ({ ...PREVIEW, ready: 958 - counts++ }),
    [`${start.method} ${start.path}`]: () => {
      throw new ApiError({ status: 409, code: 'requests.count_changed', message: '957 clients need a request now. Check the list.' });
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Create 958 requests' }));
  expect((await screen.findByRole('alert')).textContent).toContain('No request was created');
  expect(await screen.findByRole('button', { name: 'Create 957 requests' })).toBeTruthy();
});
