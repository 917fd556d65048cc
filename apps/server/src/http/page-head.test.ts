import { findPage } from '@portal/contract/pages.ts';
import { describe, expect, it } from 'vitest';
import { renderPageHead } from './page-head.ts';

const site = { brand: 'Tidewater', publicUrl: 'https://portal.example' };
const getHead = (path: string, hasSession = false) => renderPageHead(findPage(path), site, hasSession);

describe('the head of a page', () => {
  it.each([
    ['/v2/instant-vat', 'index, follow'],
    ['/v2/swoop', 'index, follow'],
    ['/login', 'index, follow'],
    ['/v2/auth/link', 'noindex'],
    ['/v2/instant-vat/signup/about', 'noindex'],
    ['/v2/instant-vat/dashboard', 'noindex'],
    ['/no/such/page', 'noindex'],
  ])('has the robots directive for %s: %s', (path, robots) => {
    expect(getHead(path)['%PAGE_ROBOTS%']).toBe(robots);
  });

  it('has one canonical URL without a query for a page with several URLs', () => {
    expect(getHead('/v2/auth/login')['%PAGE_CANONICAL%']).toBe('https://portal.example/portal/login');
    expect(getHead('/v2/instant-vat/signup/about')['%PAGE_CANONICAL%']).toBe('https://portal.example/portal/v2/instant-vat/steps/about');
  });

  it('says so in the title when there is no page', () => {
    expect(getHead('/no-such-page')['%PAGE_TITLE%']).toBe('Tidewater – Page not found');
  });

  it('has noindex on a private page for visitors only, and always on an operator page', () => {
    expect(getHead('/v2/instant-vat/dashboard', true)['%PAGE_ROBOTS%']).toBe('index, follow');
    expect(getHead('/admin', true)['%PAGE_ROBOTS%']).toBe('noindex');
  });

  it("has the partner's own description with its rate on its landing page", () => {
    expect(getHead('/v2/swoop')['%PAGE_DESCRIPTION%']).toContain('2%');
    expect(getHead('/v2/instant-vat')['%PAGE_TITLE%']).toBe('Tidewater InstantVAT Refunds');
  });
});
