/** The demo's own addresses for the real screens: what is drawn for /v2/instant-vat/dashboard/advance stands at /v2/instant-vat/demo/advance. */
import { findPage, PAGES } from '@portal/contract/pages.ts';
import { addressTime } from '../../features/demo/story-clock.ts';
import type { Story } from '../../features/demo/stories/story.ts';

type Address = { readonly pathname: string; readonly search: string };

const DASHBOARD = PAGES.dashboard.path;
const DEMO = PAGES.demo.path;

/** Where a link leads that belongs to a real account: the page that says so. */
export const NEEDS_ACCOUNT = `${DEMO}/your-own-account`;

/** What the screens are told: the dashboard's path, and the story's company and return where the address names none. */
export function toScreenAddress({ pathname, search }: Address, story: Story): Address {
  const query = new URLSearchParams(search);
  query.delete('story');
  query.set('company_id', story.company.company_id);
  if (pathname !== DEMO && !query.has('obligation_id')) query.set('obligation_id', story.hero);
  return { pathname: DASHBOARD + pathname.slice(DEMO.length), search: `?${query}` };
}

/** Where the demo is now: which story, the one that needs no name, and the time in its address. */
export type DemoPlace = { readonly story: Story; readonly usual: string; readonly at: string | null };

/**
 * What the browser shows: only what the address must say, and the time that the story has reached, so that loading it again goes on there.
 * Undefined where a page is meant that the demo does not have: it is public and opens itself.
 */
export function toDemoAddress({ pathname, search }: Address, { story, usual, at }: DemoPlace): Address | undefined {
  const isScreen = pathname === DASHBOARD || pathname.startsWith(`${DASHBOARD}/`);
  const demoPath = DEMO + pathname.slice(DASHBOARD.length);
  const isInDemo = isScreen && findPage(demoPath)?.name === 'demo';
  if (!isInDemo && findPage(pathname)?.access === 'public' && !pathname.includes('/steps/')) return undefined;
  const query = new URLSearchParams(search);
  query.delete('company_id');
  if (query.get('obligation_id') === story.hero) query.delete('obligation_id');
  if (story.key !== usual) query.set('story', story.key);
  const time = query.get('at') ?? at ?? '';
  query.delete('at');
  if (time !== '' && time !== addressTime(story.startAt)) query.set('at', time);
  const text = query.size > 0 ? `?${query}` : '';
  return { pathname: isInDemo ? demoPath : NEEDS_ACCOUNT, search: text };
}
