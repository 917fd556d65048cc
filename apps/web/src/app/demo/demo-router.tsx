/**
 * A router for the real screens inside the portal's router: they use their usual paths while the browser shows the demo's. React Router
 * rejects nested routers unless the outer location is reset, which only its UNSAFE_ export allows.
 */
import { useMemo, type ReactNode } from 'react';
import {
  parsePath,
  Router,
  UNSAFE_LocationContext as LocationContext,
  useLocation,
  useNavigate,
  useNavigationType,
  type Navigator,
  type To,
} from 'react-router';
import { STORIES } from '../../features/demo/list-stories.ts';
import type { Story } from '../../features/demo/stories/story.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { toDemoAddress, toScreenAddress } from './demo-paths.ts';

export function DemoRouter({ story, children }: { story: Story; children: ReactNode }) {
  const location = useLocation();
  const navigate = useNavigate();
  const navigationType = useNavigationType();
  const defaultStoryKey = STORIES[0]?.key ?? '';
  const at = new URLSearchParams(location.search).get('at');
  const navigator = useMemo<Navigator>(() => {
    const toOuterUrl = (to: To): To => {
      const { pathname = '', search = '', hash = '' } = typeof to === 'string' ? parsePath(to) : to;
      return { ...(toDemoAddress({ pathname, search }, { story, defaultStoryKey, at }) ?? { pathname, search }), hash };
    };
    const toText = (to: To): string => (typeof to === 'string' ? to : `${to.pathname ?? ''}${to.search ?? ''}${to.hash ?? ''}`);
    return {
      createHref: (to) => `${PORTAL_BASE}${toText(toOuterUrl(to))}`,
      push: (to, state: unknown) => void navigate(toOuterUrl(to), { state }),
      replace: (to, state: unknown) => void navigate(toOuterUrl(to), { state, replace: true }),
      go: (steps) => void navigate(steps),
    };
  }, [navigate, story, defaultStoryKey, at]);
  const inner = { ...location, ...toScreenAddress(location, story) };
  return (
    <LocationContext value={null as never}>
      <Router location={inner} navigationType={navigationType} navigator={navigator}>
        {children}
      </Router>
    </LocationContext>
  );
}
