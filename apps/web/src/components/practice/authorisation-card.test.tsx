// Tests the authorisation card: which actions it offers, what it sends, and that it shows the new status afterwards
// (packages/contract/src/authorisations.ts).
import type { Authorisation } from '@portal/contract/authorisations.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { ApiError, setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { AuthorisationCard } from './authorisation-card.tsx';

const vat: Authorisation = {
  tax: 'vat',
  status: 'not_started',
  sentence: 'You haven’t asked this client to authorise you.',
  next: 'Send a request.',
  acts: ['send', 'check'],
  needs: null,
  link_day: null,
  link_days: 21,
  client_action_url: null,
  sent_at: null,
  expires_on: null,
  checked_at: null,
  email: null,
} as Authorisation;

const SENT = { kind: 'first', status: 'sent', to: 'jo@alder.example', at: '2026-11-10T09:00:00.000Z', reason: null, is_waiting: false };

let undo = () => undefined as void;
afterEach(() => {
  cleanup();
  undo();
});

function show(initial: Authorisation, respond: (input: object) => Authorisation, connectionStatus = 'connected') {
  const requests: [string, object][] = [];
  let current = initial;
  undo = setTransport(async ({ path }, input) => {
    if (path === '/client/agent-details') return { arn: 'AARN0000002', emails_clients: true, authorisations: [current] };
    // Never responds, so the user isn't known to be an admin and sees the hint to ask one.
    if (path === '/open-tax/accountant-profile') return new Promise<never>(() => undefined);
    if (path === '/open-tax/accountant-connections')
      return {
        arn: 'AARN0000002',
        connections: [{ provider: 'hmrc', status: connectionStatus, connected_at: null, consent_ends_at: null }],
      };
    requests.push([path, input]);
    return (current = respond(input));
  });
  render(
    <MemoryRouter>
      <AppProviders>
        <QueryClientProvider client={createQueryClient()}>
          <AuthorisationCard companyId="7d2f0a52-3c1e-4c6e-9f0e-4a2f5b1c8d10" clientId="0c9b8a76-5d4e-4f3a-8b2c-1d0e9f8a7b6c" />
        </QueryClientProvider>
      </AppProviders>
    </MemoryRouter>,
  );
  return requests;
}

describe('the authorisation card', () => {
  it('sends a request on click, and shows the link and that it was emailed', async () => {
    const url = 'https://www.tax.service.gov.uk/appoint-someone/ABC/oakline/vat';
    const requests = show(vat, () => ({
      ...vat,
      status: 'link_sent',
      sentence: 'Request created (day 1 of 21).',
      acts: ['check', 'cancel'],
      client_action_url: url,
      email: { ...SENT, reminds_on: '2026-11-23' } as Authorisation['email'],
    }));
    fireEvent.click(await screen.findByRole('button', { name: 'Create request for VAT' }));
    expect(await screen.findByText(url)).toBeTruthy();
    expect(requests).toMatchObject([['/open-tax/authorisations/send', { tax: 'vat', emails_client: true }]]);
    expect(screen.getByText(/^Emailed to jo@alder\.example:/).textContent).toContain('We’ll remind the client once, on 23 November 2026');
    expect(screen.getByRole('button', { name: 'Email it again for VAT' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Copy the link for VAT' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Create request for VAT' })).toBeNull();
  });

  it('says why a request wasn’t emailed, and emails it with the same ID until that worked', async () => {
    const pendingAuthorisation = {
      ...vat,
      status: 'link_sent',
      acts: ['check', 'cancel'],
      client_action_url: 'https://hmrc.example/1',
    } as Authorisation;
    const email = { ...SENT, status: 'no_email', to: null, reminds_on: null } as Authorisation['email'];
    let presses = 0;
    const requests = show({ ...pendingAuthorisation, email }, () => {
      if (presses++ === 0)
        throw new ApiError({ status: 409, code: 'authorisation.no_email', message: 'This client has no email address.' });
      return { ...pendingAuthorisation, email: { ...SENT, reminds_on: null } as Authorisation['email'] };
    });
    expect(await screen.findByText(/^Not emailed: this client has no email address/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Email it to the client for VAT' }));
    expect(await screen.findByText('This client has no email address.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Email it to the client for VAT' }));
    expect(await screen.findByText(/^Emailed to jo@alder\.example:/)).toBeTruthy();
    const ids = requests.map(([, input]) => (input as { message_id: string }).message_id);
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  it('asks for the fact that HMRC requires and sends it with the request', async () => {
    const requests = show({ ...vat, acts: ['send'], needs: 'vat_registered_on' }, () => vat);
    const button = await screen.findByRole('button', { name: 'Create request for VAT' });
    expect(button.hasAttribute('disabled')).toBe(true);
    fireEvent.change(screen.getByLabelText('VAT registration date'), { target: { value: '2019-04-01' } });
    fireEvent.click(button);
    await waitFor(() => expect(requests).toMatchObject([['/open-tax/authorisations/send', { vat_registered_on: '2019-04-01' }]]));
  });

  it("offers no action for a tax that HMRC's agent service doesn't cover", async () => {
    show({ ...vat, tax: 'paye', status: 'unsupported', sentence: 'Not covered.', next: 'By form 64-8.', acts: [] }, () => vat);
    expect(await screen.findByText('By form 64-8.')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('tells a team member to ask an admin when the practice has no HMRC connection', async () => {
    show({ ...vat, next: 'Connect to HMRC before you send or check requests.', acts: [] }, () => vat, 'not_connected');
    expect(await screen.findByText(/^HMRC isn’t connected, .* Ask an admin of your practice to connect HMRC\.$/)).toBeTruthy();
  });

  it('shows the error and keeps the known status', async () => {
    show(vat, () => {
      throw new ApiError({ status: 502, code: 'hmrc.unavailable', message: 'HMRC cannot be reached at the moment.' });
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Check with HMRC for VAT' }));
    expect(await screen.findByText('HMRC cannot be reached at the moment.')).toBeTruthy();
    expect(screen.getByText(vat.sentence)).toBeTruthy();
  });
});
