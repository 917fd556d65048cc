// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest';
import { ALL_ACCEPTED, parseConsentCookie, onConsentChange, readConsent, saveConsent, formatConsentCookie } from './consent.ts';

afterEach(() => {
  document.cookie = 'cookie_choices=; Path=/; Max-Age=0';
});

describe('the consent cookie', () => {
  it.each([
    ['', undefined],
    ['partner_id=swoop', undefined],
    ['cookie_choices=1.a1m0c1', { analytics: true, marketing: false, chat: true }],
    ['partner_id=swoop; cookie_choices=1.a0m1c0; other=1', { analytics: false, marketing: true, chat: false }],
    // The choices are from an older version, so ask again.
    ['cookie_choices=0.a1m1c1', undefined],
    ['cookie_choices=2.a1m1c1', undefined],
    ['cookie_choices=1.a1m1', undefined],
    ['cookie_choices=yes', undefined],
    ['my_cookie_choices=1.a1m1c1', undefined],
  ])('%s', (cookies, expected) => {
    expect(parseConsentCookie(cookies)).toEqual(expected);
  });

  it('is parsed as it was formatted', () => {
    for (const analytics of [true, false])
      for (const marketing of [true, false])
        for (const chat of [true, false]) {
          const choices = { analytics, marketing, chat };
          expect(parseConsentCookie(`cookie_choices=${formatConsentCookie(choices)}`)).toEqual(choices);
        }
  });
});

describe('saveConsent', () => {
  it('saves the choices in the cookie and notifies listeners until they stop', () => {
    const receivedChoices: unknown[] = [];
    const stop = onConsentChange((choices) => receivedChoices.push(choices));
    expect(readConsent()).toBeUndefined();
    saveConsent(ALL_ACCEPTED);
    expect(readConsent()).toEqual(ALL_ACCEPTED);
    stop();
    saveConsent({ ...ALL_ACCEPTED, analytics: false });
    expect(receivedChoices).toEqual([ALL_ACCEPTED]);
    expect(readConsent()?.analytics).toBe(false);
  });
});
