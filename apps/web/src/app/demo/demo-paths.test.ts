import { describe, expect, it } from 'vitest';
import { findStory } from '../../features/demo/list-stories.ts';
import { toDemoAddress, toScreenAddress } from './demo-paths.ts';

const USUAL = findStory('normal-refund');
const COMPANY = `company_id=${USUAL.company.company_id}`;
const HERO = `obligation_id=${USUAL.hero}`;

describe('an address of the demo', () => {
  it.each([
    ['/v2/instant-vat/demo', '', '/v2/instant-vat/dashboard', `?${COMPANY}`],
    ['/v2/instant-vat/demo/vat-return', '', '/v2/instant-vat/dashboard/vat-return', `?${COMPANY}&${HERO}`],
    ['/v2/instant-vat/demo/advance', '?story=set-off', '/v2/instant-vat/dashboard/advance', `?${COMPANY}&${HERO}`],
  ])('%s%s draws the screen of %s%s', (pathname, search, screen, query) => {
    expect(toScreenAddress({ pathname, search }, USUAL)).toEqual({ pathname: screen, search: query });
  });

  it.each([
    ['/v2/instant-vat/dashboard', `?${COMPANY}`, '/v2/instant-vat/demo', ''],
    ['/v2/instant-vat/dashboard/vat-return', `?${COMPANY}&${HERO}`, '/v2/instant-vat/demo/vat-return', ''],
    ['/v2/instant-vat/dashboard/vat-return', `?${COMPANY}&obligation_id=x`, '/v2/instant-vat/demo/vat-return', '?obligation_id=x'],
    // What belongs to a real account is said to, inside the demo.
    ['/v2/instant-vat/profile', `?${COMPANY}`, '/v2/instant-vat/demo/your-own-account', ''],
    ['/v2/instant-vat/steps/bank-account', '', '/v2/instant-vat/demo/your-own-account', ''],
    ['/v2/instant-vat/dashboard/no-such-screen', '', '/v2/instant-vat/demo/your-own-account', ''],
  ])('stands for a link of the screens to %s%s: %s%s', (pathname, search, demo, query) => {
    expect(toDemoAddress({ pathname, search }, USUAL, 'normal-refund')).toEqual({ pathname: demo, search: query });
  });

  it('keeps the story that was chosen', () => {
    expect(toDemoAddress({ pathname: '/v2/instant-vat/dashboard', search: '' }, findStory('set-off'), 'normal-refund')?.search).toBe(
      '?story=set-off',
    );
  });

  it.each(['/v2/instant-vat/dashboard/help', '/v2/instant-vat/help', '/contact', '/privacy'])(
    'is none for the public page %s',
    (pathname) => {
      expect(toDemoAddress({ pathname, search: '' }, USUAL, 'normal-refund')).toBeUndefined();
    },
  );
});
