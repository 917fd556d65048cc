import { findPage } from '@portal/contract/pages.ts';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { InitialSession, SessionProvider } from '../core/session.tsx';
import type { Session } from '../core/session-state.ts';
import { BillingNotice } from './billing-notice.tsx';

const practiceSession = {
  status: 'signed_in',
  person: { type: 'practice', full_name: 'Priya Oakes', operator_roles: null },
} as unknown as Session;
const CLIENTS_PAGE = '/v2/open-tax/clients';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function renderNotice(notices: object): void {
  vi.stubGlobal('fetch', async () => Response.json(notices));
  render(
    <MemoryRouter initialEntries={[`${CLIENTS_PAGE}?company_id=c1`]}>
      <InitialSession value={practiceSession}>
        <SessionProvider>
          <BillingNotice page={findPage(CLIENTS_PAGE)} />
        </SessionProvider>
      </InitialSession>
    </MemoryRouter>,
  );
}

describe('the notice above a practice’s pages', () => {
  it('says when the trial ends, and links to the plan', async () => {
    renderNotice({ notice: null, trial: { ends_on: '2027-03-01', has_ended: false, no_connections_outside: 1200 } });
    expect((await screen.findByRole('complementary', { name: 'Trial' })).textContent).toContain(
      'Your practice’s trial ends on 1 March 2027From then, we won’t refresh the figures of 1,200 connections outside your plan.',
    );
    expect(screen.getByRole('link', { name: 'Choose connections' }).getAttribute('href')).toContain('/premium/setup?company_id=c1');
  });

  it('says after the trial how many connections aren’t refreshed, beside an overdue payment', async () => {
    renderNotice({
      notice: { state: 'past_due', read_only_from: '2027-03-15' },
      trial: { ends_on: '2027-03-01', has_ended: true, no_connections_outside: 1 },
    });
    expect(await screen.findByText('1 connection outside your plan')).toBeTruthy();
    expect(screen.getByText(/From 15 March 2027, we’ll stop refreshing figures/)).toBeTruthy();
  });

  it('shows nothing otherwise', async () => {
    renderNotice({ notice: null, trial: null });
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(screen.queryByRole('complementary')).toBeNull();
  });
});
