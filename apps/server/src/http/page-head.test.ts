import { findPage } from '@portal/contract/pages.ts';
import { describe, expect, it } from 'vitest';
import { pageHead } from './page-head.ts';

const site = { brand: 'Tidewater', publicUrl: 'https://portal.example' };
const headOf = (path: string, hasSession = false) => pageHead(findPage(path), site, hasSession);

describe('the head of a page', () => {
  it.each([
    ['/v2/instant-vat', 'index, follow'],
    ['/v2/swoop', 'index, follow'],
    ['/login', 'index, follow'],
    ['/v2/auth/link', 'noindex'],
    ['/v2/instant-vat/signup/about', 'noindex'],
    ['/v2/instant-vat/dashboard', 'noindex'],
    ['/no/such/page', 'noindex'],
  ])('of %s tells search engines: %s', (path, robots) => {
    expect(headOf(path)['%PAGE_ROBOTS%']).toBe(robots);
  });

  it('names one address for a page that has several, without its query', () => {
    expect(headOf('/v2/auth/login')['%PAGE_CANONICAL%']).toBe('https://portal.example/portal/login');
    expect(headOf('/v2/instant-vat/signup/about')['%PAGE_CANONICAL%']).toBe('https://portal.example/portal/v2/instant-vat/steps/about');
  });

  it('says noindex of a private page to visitors only, and never of an operator’s otherwise', () => {
    expect(headOf('/v2/instant-vat/dashboard', true)['%PAGE_ROBOTS%']).toBe('index, follow');
    expect(headOf('/admin', true)['%PAGE_ROBOTS%']).toBe('noindex');
  });

  it('has the partner’s own description at its door, with its rate', () => {
    expect(headOf('/v2/swoop')['%PAGE_DESCRIPTION%']).toContain('2%');
    expect(headOf('/v2/instant-vat')['%PAGE_TITLE%']).toBe('Tidewater InstantVAT Refunds');
  });
});
