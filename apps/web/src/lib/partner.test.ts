// Tests docs/product/specification.md sections 4 ("Partner cookie") and 3 ("Partner data in local storage"), and docs/product/decisions.md
// sections 8 (touches) and 11 (consent).
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALL_ACCEPTED, ALL_REJECTED, saveConsent } from './consent.ts';
import { getCurrentPartner, recordPartner, formatPartnerCookie, findPartnerName, getTouches } from './partner.ts';

describe('the partner of a visitor', () => {
  it.each([
    ['?partner=Swoop', '', 'swoop'],
    ['?partner_id=AZETS', '', 'azets'],
    ['?partner_id=AZETS', 'partner_id=swoop', 'swoop'],
    ['?partner=swoop', 'partner_id=organic', 'organic'],
    ['', 'a=b; partner_id=swoop; c=d', 'swoop'],
    ['', 'partner_id=my%20partner', 'my partner'],
    ['?partner=unknown-partner', '', 'unknown-partner'],
    ['?partner=', 'not_partner_id=swoop', 'organic'],
    ['', 'partner_id=100%', 'organic'],
    ['?partner=%3Cimg%20src%3Dx%3E', '', 'organic'],
    [`?partner=${'x'.repeat(10_000)}`, '', 'organic'],
    ['', '', 'organic'],
  ])('for the query %j and the cookies %j is %s', (search, cookies, partner) => {
    expect(findPartnerName(search, cookies)).toBe(partner);
  });
});

describe('the first and last touch', () => {
  it.each([
    ['', undefined, 'organic@9', 'organic@9'],
    ['', 'swoop', 'swoop@9', 'swoop@9'],
    ['partner_id=azets; partner_touches=azets@1~azets@1', 'swoop', 'azets@1', 'swoop@9'],
    ['partner_id=azets; partner_touches=azets@1~swoop@5', 'swoop', 'azets@1', 'swoop@5'],
    ['partner_id=azets; partner_touches=azets@1~swoop@5', undefined, 'azets@1', 'swoop@5'],
    ['partner_id=azets; partner_touches=rubbish', undefined, 'azets@9', 'azets@9'],
  ])('for the cookies %j and the name %j are %s and %s', (cookies, partnerName, first, last) => {
    const touches = getTouches(cookies, partnerName, 9);
    expect([touches.first, touches.last].map(({ partner, at }) => `${partner}@${at}`)).toEqual([first, last]);
  });
});

describe('the partner cookie', () => {
  it('is at the root path, for 30 days with consent or for the visit without, and secure over https', () => {
    expect(formatPartnerCookie('partner_id', 'swoop', true, true)).toBe('partner_id=swoop; Path=/; Max-Age=2592000; SameSite=Lax; Secure');
    expect(formatPartnerCookie('partner_id', 'swoop', false, false)).toBe('partner_id=swoop; Path=/; SameSite=Lax');
  });
});

describe('what is stored in the browser', () => {
  let stop: (() => void) | undefined;
  const reset = (): void => {
    stop?.();
    localStorage.clear();
    sessionStorage.clear();
    for (const name of ['partner_id', 'partner_touches', 'cookie_choices']) document.cookie = `${name}=; Path=/; Max-Age=0`;
    history.replaceState(null, '', '/portal/v2/instant-vat');
  };
  beforeEach(reset);
  // Test files share one browser environment.
  afterEach(reset);

  it('is the lower-case name, in session storage until marketing is allowed, then in local storage', () => {
    history.replaceState(null, '', '/portal/v2/instant-vat?partner_id=SWOOP');
    stop = recordPartner();
    expect(document.cookie).toContain('partner_id=swoop');
    expect([localStorage.getItem('partner'), sessionStorage.getItem('partner')]).toEqual([null, '{"name":"swoop"}']);
    saveConsent(ALL_ACCEPTED);
    expect([localStorage.getItem('partner'), sessionStorage.getItem('partner')]).toEqual(['{"name":"swoop"}', null]);
    saveConsent(ALL_REJECTED);
    expect([localStorage.getItem('partner'), sessionStorage.getItem('partner')]).toEqual([null, '{"name":"swoop"}']);
  });

  it('is the landing page’s partner for the visit, while the cookie keeps the first touch', () => {
    document.cookie = 'partner_id=azets; Path=/';
    stop = recordPartner('swoop');
    expect(getCurrentPartner()).toBe('swoop');
    expect(document.cookie).toMatch(/partner_id=azets(;|$)/);
    expect(document.cookie).toMatch(/partner_touches=azets@\d+~swoop@\d+/);
  });
});
