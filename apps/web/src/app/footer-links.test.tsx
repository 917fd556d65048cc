// Tests docs/product/specification.md section 2.6: on small screens, most v2 pages have no header, so they need other links.
import { findPage } from '@portal/contract/pages.ts';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, it } from 'vitest';
import { InitialSession, SessionProvider } from '../core/session.tsx';
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
