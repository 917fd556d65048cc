// Tests docs/product/specification.md sections 2.6 ("Small screens"), 4 ("Practitioner navigation flag") and 6 (external users).
import { findPage, PAGES } from '@portal/contract/pages.ts';
import { describe, expect, it } from 'vitest';
import { getNavigation } from './navigation-links.ts';
import { hasHeaderWhenSmall, hasPractitionerNavigation, isExternalUser, isOpenTaxFlow } from './navigation.ts';

describe('the practitioner navigation', () => {
  it.each([
    ['/v2/open-tax/clients', '', true],
    ['/v2/open-tax/clients/', '?tab=1', true],
    ['/v2/open-tax/dashboard', '?company_id=p1', true],
    ['/v2/instant-vat/premium/setup', '', true],
    ['/v2/instant-vat/premium/setup', '?external_user=1', false],
    ['/v2/open-tax/clients', '?company_id=p1&external_user=1', false],
    ['/v2/open-tax/dashboard', '?external_user=0', true],
    ['/v2/open-tax/settings', '', false],
    ['/v2/open-tax/clients-portal/dashboard', '', false],
    ['/v2/instant-vat/dashboard', '', false],
  ])('at %s%s is %s', (pathname, search, expected) => {
    expect(hasPractitionerNavigation(pathname, search)).toBe(expected);
  });
});

describe('an external user', () => {
  it.each([
    ['?external_user=1', true],
    ['?external_user=0', false],
    ['?external_user=', false],
    ['', false],
  ])('is recognised by %j: %s', (search, expected) => {
    expect(isExternalUser(search)).toBe(expected);
  });
});

describe('the OpenTax flow', () => {
  it.each([
    ['/v2/open-tax/settings', true],
    ['/v2/open-tax', true],
    ['/v2/instant-vat/premium/setup', true],
    ['/v2/instant-vat/dashboard', false],
    ['/v2/open-taxes', false],
  ])('includes %s: %s', (pathname, expected) => {
    expect(isOpenTaxFlow(pathname, '')).toBe(expected);
  });
});

describe('on a small screen', () => {
  it.each([
    ['/v2/instant-vat/dashboard', true],
    ['/v2/instant-vat/dashboard/vat-return', true],
    ['/v2/instant-vat', true],
    ['/v2/open-tax/settings', true],
    ['/home', true],
    ['/get-started/welcome', true],
    ['/login', true],
    ['/v2/auth/login', false],
    ['/v2/instant-vat/steps/about', false],
    ['/v2/instant-vat/profile', false],
    ['/v2/instant-vat/help', false],
  ])('%s has a header: %s', (pathname, expected) => {
    expect(hasHeaderWhenSmall(findPage(pathname), pathname)).toBe(expected);
  });
});

describe('the practice’s navigation', () => {
  const links = getNavigation({ status: 'signed_in', person: { type: 'practice' } }, '/v2/open-tax/dashboard', '', '')?.links ?? [];
  const pages = Object.values(PAGES).filter(
    ({ path, access }) => access !== 'public' && path.startsWith('/v2/open-tax/') && !path.startsWith('/v2/open-tax/clients-portal/'),
  );

  it.each(pages.filter(({ path }) => path !== PAGES.staffNotifications.path))('has exactly one section for $path', ({ path }) => {
    expect(links.filter(({ to, paths = [] }) => to === path || paths.includes(path))).toHaveLength(1);
  });
});

it.each(['/v2/open-tax/steps/practice', '/v2/instant-vat/steps/company'])(
  'there is no navigation at %s before a company exists',
  (path) => {
    expect(getNavigation({ status: 'signed_in', person: { type: 'new' } }, path, '', '')).toBeUndefined();
  },
);
