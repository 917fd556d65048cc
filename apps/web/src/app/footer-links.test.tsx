// Tests docs/product/specification.md section 2.6: on small screens, most v2 pages have no header, so they need other links.
import { findPage } from '@portal/contract/pages.ts';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, it } from 'vitest';
import { InitialSession, SessionProvider } from '../core/session.tsx';
import type { Session } from '../core/session-state.ts';
import { FooterLinks } from './footer-links.tsx';

function listLinksAt(path: string): (string | null)[] {
  render(
    <MemoryRouter initialEntries={[path]}>
      <FooterLinks page={findPage(path)} />
    </MemoryRouter>,
  );
  return screen.queryAllByRole('link').map(({ textContent }) => textContent);
}

afterEach(cleanup);

describe('footer links on small screens', () => {
  it.each(['/v2/instant-vat/steps/company', '/v2/instant-vat/help', '/v2/auth/reset-password'])('are shown to visitors at %s', (path) => {
    expect(listLinksAt(path)).toEqual(['Home', 'Help']);
  });

  it.each(['/v2/instant-vat/dashboard', '/contact', '/v2/open-tax/dashboard', '/v2/instant-vat/profile', '/nothing/here'])(
    'are not shown where the header or the page has them: %s',
    (path) => {
      expect(listLinksAt(path)).toEqual([]);
    },
  );
});

it('visitors who sign up a practice find its home page and help at the end of the page', () => {
  render(
    <MemoryRouter initialEntries={['/v2/open-tax/signup']}>
      <InitialSession value={{ status: 'signed_out' }}>
        <SessionProvider>
          <FooterLinks page={findPage('/v2/open-tax/signup')} />
        </SessionProvider>
      </InitialSession>
    </MemoryRouter>,
  );
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/portal/v2/open-tax', '/v2/open-tax/help']);
});

describe('links at the end of a practice’s pages', () => {
  const practiceSession = {
    status: 'signed_in',
    person: { type: 'practice', full_name: 'Priya Oakes', operator_roles: null },
  } as unknown as Session;

  function listPracticeLinksAt(path: string): (string | null)[] {
    render(
      <MemoryRouter initialEntries={[path]}>
        <InitialSession value={practiceSession}>
          <SessionProvider>
            <FooterLinks page={findPage(path.split('?')[0] ?? '')} />
          </SessionProvider>
        </InitialSession>
      </MemoryRouter>,
    );
    return screen.queryAllByRole('link').map(({ textContent }) => textContent);
  }

  it('are help and logging out where the header has no menu', () => {
    expect(listPracticeLinksAt('/v2/open-tax/calendar')).toEqual(['Help', 'Log out']);
  });

  it.each(['/v2/open-tax/clients', '/v2/open-tax/dashboard', '/v2/open-tax/calendar?external_user=1'])('are not shown at %s', (path) => {
    expect(listPracticeLinksAt(path)).toEqual([]);
  });
});
