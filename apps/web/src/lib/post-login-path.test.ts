import { afterEach, describe, expect, it } from 'vitest';
import { consumePostLoginPath, savePostLoginPath } from './post-login-path.ts';

afterEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '/');
});

describe('the page requested before signing in', () => {
  it('is returned once, with its query, below /portal', () => {
    history.replaceState(null, '', '/portal/v2/instant-vat/dashboard?company_id=c-1');
    savePostLoginPath();
    expect(localStorage.getItem('post-login-redirect')).toBe('/portal/v2/instant-vat/dashboard?company_id=c-1');
    expect(consumePostLoginPath()).toBe('/v2/instant-vat/dashboard?company_id=c-1');
    expect(consumePostLoginPath()).toBeUndefined();
  });

  it('can be a later step of the sign-up, although that is a public page', () => {
    history.replaceState(null, '', '/portal/v2/instant-vat/signup/bank-account?company_id=c-1');
    savePostLoginPath();
    expect(consumePostLoginPath()).toBe('/v2/instant-vat/signup/bank-account?company_id=c-1');
  });

  it('can be set by the caller, for example to the first step of a practice', () => {
    savePostLoginPath('/v2/open-tax/steps/practice');
    expect(consumePostLoginPath()).toBe('/v2/open-tax/steps/practice');
  });

  it('is not saved on a page that requires no log-in, where the response to an earlier request may arrive', () => {
    history.replaceState(null, '', '/portal/login');
    savePostLoginPath();
    expect(localStorage.getItem('post-login-redirect')).toBeNull();
  });

  it.each([
    ['the step for visitors', '/portal/v2/instant-vat/steps/about'],
    ['a step that does not exist', '/portal/v2/instant-vat/steps/nowhere'],
    ['the page for logging in', '/portal/login'],
    ['another site', 'https://evil.example/portal/home'],
    ['another site without a scheme', '//evil.example/portal/home'],
    ['a way out of the portal', '/portal/../admin'],
    ['a page that does not exist', '/portal/nowhere'],
    ['the page for logging out', '/portal/logout'],
  ])('is never %s', (_name, kept) => {
    localStorage.setItem('post-login-redirect', kept);
    expect(consumePostLoginPath()).toBeUndefined();
  });
});
