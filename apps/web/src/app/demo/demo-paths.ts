/** Maps the demo's URLs to those of the real screens: /v2/instant-vat/demo/advance shows /v2/instant-vat/dashboard/advance. */
import { findPage, PAGES } from '@portal/contract/pages.ts';
import { formatUrlTime } from '../../features/demo/story-clock.ts';
import type { Story } from '../../features/demo/stories/story.ts';

type DemoAddress = { readonly pathname: string; readonly search: string };

const DASHBOARD = PAGES.dashboard.path;
const DEMO = PAGES.demo.path;

/** Shown instead of pages that need a real account. */
export const NEEDS_ACCOUNT = `${DEMO}/your-own-account`;

/**
 * Maps a demo URL to the dashboard URL that the screens expect. Sets the story's company, and its main return unless the query specifies
 * another.
 */
export function toScreenAddress({ pathname, search }: DemoAddress, story: Story): DemoAddress {
  const query = new URLSearchParams(search);
  query.delete('story');
  query.set('company_id', story.company.company_id);
  if (pathname !== DEMO && !query.has('obligation_id')) query.set('obligation_id', story.mainObligationId);
  return { pathname: DASHBOARD + pathname.slice(DEMO.length), search: `?${query}` };
}

/** The demo's current state: the story, the default story and the date in the URL. */
export type DemoState = { readonly story: Story; readonly defaultStoryKey: string; readonly at: string | null };

/**
 * Returns the URL that the browser shows: as short as possible, with the story's current date, so that a reload continues there. Returns
 * undefined for public pages outside the demo, which open as usual.
 */
export function toDemoAddress({ pathname, search }: DemoAddress, { story, defaultStoryKey, at }: DemoState): DemoAddress | undefined {
  const isScreen = pathname === DASHBOARD || pathname.startsWith(`${DASHBOARD}/`);
  const demoPath = DEMO + pathname.slice(DASHBOARD.length);
  const isInDemo = isScreen && findPage(demoPath)?.name === 'demo';
  if (!isInDemo && findPage(pathname)?.access === 'public' && !pathname.includes('/steps/')) return undefined;
  const query = new URLSearchParams(search);
  query.delete('company_id');
  if (query.get('obligation_id') === story.mainObligationId) query.delete('obligation_id');
  if (story.key !== defaultStoryKey) query.set('story', story.key);
  const time = query.get('at') ?? at ?? '';
  query.delete('at');
  if (time !== '' && time !== formatUrlTime(story.startAt)) query.set('at', time);
  const queryText = query.size > 0 ? `?${query}` : '';
  return { pathname: isInDemo ? demoPath : NEEDS_ACCOUNT, search: queryText };
}
