import { describe, expect, it } from 'vitest';
import { findStory } from '../../features/demo/list-stories.ts';
import { formatUrlTime } from '../../features/demo/story-clock.ts';
import { toDemoAddress, toScreenAddress } from './demo-paths.ts';

const DEFAULT_STORY = findStory('normal-refund');
const COMPANY = `company_id=${DEFAULT_STORY.company.company_id}`;
const AT_THE_START = { story: DEFAULT_STORY, defaultStoryKey: DEFAULT_STORY.key, at: null };
const DASHBOARD = { pathname: '/v2/instant-vat/dashboard', search: '' };
const HERO = `obligation_id=${DEFAULT_STORY.mainObligationId}`;

describe('a demo URL', () => {
  it.each([
    ['/v2/instant-vat/demo', '', '/v2/instant-vat/dashboard', `?${COMPANY}`],
    ['/v2/instant-vat/demo/vat-return', '', '/v2/instant-vat/dashboard/vat-return', `?${COMPANY}&${HERO}`],
    ['/v2/instant-vat/demo/advance', '?story=set-off', '/v2/instant-vat/dashboard/advance', `?${COMPANY}&${HERO}`],
  ])('%s%s shows the screen of %s%s', (pathname, search, screen, query) => {
    expect(toScreenAddress({ pathname, search }, DEFAULT_STORY)).toEqual({ pathname: screen, search: query });
  });

  it.each([
    ['/v2/instant-vat/dashboard', `?${COMPANY}`, '/v2/instant-vat/demo', ''],
    ['/v2/instant-vat/dashboard/vat-return', `?${COMPANY}&${HERO}`, '/v2/instant-vat/demo/vat-return', ''],
    ['/v2/instant-vat/dashboard/vat-return', `?${COMPANY}&obligation_id=x`, '/v2/instant-vat/demo/vat-return', '?obligation_id=x'],
    // Inside the demo, pages of a real account show a message.
    ['/v2/instant-vat/profile', `?${COMPANY}`, '/v2/instant-vat/demo/your-own-account', ''],
    ['/v2/instant-vat/steps/bank-account', '', '/v2/instant-vat/demo/your-own-account', ''],
    ['/v2/instant-vat/dashboard/no-such-screen', '', '/v2/instant-vat/demo/your-own-account', ''],
  ])('replaces a screen’s link to %s%s: %s%s', (pathname, search, demo, query) => {
    expect(toDemoAddress({ pathname, search }, AT_THE_START)).toEqual({ pathname: demo, search: query });
  });

  it('keeps the chosen story', () => {
    expect(toDemoAddress(DASHBOARD, { ...AT_THE_START, story: findStory('set-off') })?.search).toBe('?story=set-off');
  });

  it('keeps the current date unless a screen sets another', () => {
    const demoState = { ...AT_THE_START, at: '20261127T063000Z' };
    expect(toDemoAddress(DASHBOARD, demoState)?.search).toBe('?at=20261127T063000Z');
    expect(toDemoAddress({ ...DASHBOARD, search: '?at=20261128T063000Z' }, demoState)?.search).toBe('?at=20261128T063000Z');
  });

  it('leaves out the date at the beginning of the story', () => {
    const back = { ...DASHBOARD, search: `?at=${formatUrlTime(DEFAULT_STORY.startAt)}` };
    expect(toDemoAddress(back, { ...AT_THE_START, at: '20261127T063000Z' })?.search).toBe('');
  });

  it.each(['/v2/instant-vat/dashboard/help', '/v2/instant-vat/help', '/contact', '/privacy'])(
    'is undefined for the public page %s',
    (pathname) => {
      expect(toDemoAddress({ pathname, search: '' }, AT_THE_START)).toBeUndefined();
    },
  );
});
