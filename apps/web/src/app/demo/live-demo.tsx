/** The demo on the landing page. Its links change the URL without leaving the page, so that the clock keeps its date. */
import { PAGES } from '@portal/contract/pages.ts';
import { useMemo } from 'react';
import { parsePath, Router, type Navigator, type To } from 'react-router';
import { AppProviders } from '../../core/app-providers.tsx';
import { DemoDashboard } from './demo-dashboard.tsx';
import { toDemoAddress, toScreenAddress } from './demo-paths.ts';
import { findStory, STORIES } from '../../features/demo/list-stories.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { useWindowLocation } from './use-window-location.ts';

const DEMO = PAGES.demo.path;

export function LiveDemo({ openSignUp }: { openSignUp: () => void }) {
  const { place, go } = useWindowLocation();
  const { search } = place.location;
  const story = useMemo(() => findStory(new URLSearchParams(search).get('story')), [search]);
  const navigator = useMemo<Navigator>(() => {
    const defaultStoryKey = STORIES[0]?.key ?? '';
    const at = new URLSearchParams(search).get('at');
    const toParts = (to: To) => ({ pathname: '', search: '', hash: '', ...(typeof to === 'string' ? parsePath(to) : to) });
    const toDemoPath = (to: To): string | undefined => {
      const address = toDemoAddress(toParts(to), { story, defaultStoryKey, at });
      return address && `${address.pathname}${address.search}${toParts(to).hash}`;
    };
    const toPortalPath = (to: To): string => `${PORTAL_BASE}${toParts(to).pathname}${toParts(to).search}${toParts(to).hash}`;
    const move = (to: To, type: 'PUSH' | 'REPLACE'): void => {
      const address = toDemoPath(to);
      if (address === undefined) location.assign(toPortalPath(to));
      else go(address, type);
    };
    return {
      createHref: (to) => {
        const address = toDemoPath(to);
        return address === undefined ? toPortalPath(to) : `${PORTAL_BASE}${address}`;
      },
      push: (to) => move(to, 'PUSH'),
      replace: (to) => move(to, 'REPLACE'),
      go: (steps) => history.go(steps),
    };
  }, [story, search, go]);
  // On a landing page's URL, show the demo's first page.
  const address = place.location.pathname.startsWith(DEMO) ? place.location : { ...place.location, pathname: DEMO };
  return (
    <AppProviders>
      <Router location={{ ...place.location, ...toScreenAddress(address, story) }} navigationType={place.type} navigator={navigator}>
        <DemoDashboard key={story.key} story={story} choose={(key) => go(`${DEMO}?story=${key}`, 'PUSH')} openSignUp={openSignUp} />
      </Router>
    </AppProviders>
  );
}
