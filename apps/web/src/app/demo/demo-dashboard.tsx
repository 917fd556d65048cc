/** The demo: the real screens showing a story in memory, with their own router and a clock that the visitor moves. */
import { findPage } from '@portal/contract/pages.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { AdvanceScreen } from '../../features/advances/advance-screen.tsx';
import { DashboardScreen } from '../../features/dashboard/dashboard-screen.tsx';
import { LinkHmrcScreen } from '../../features/dashboard/link-hmrc-screen.tsx';
import { createDemoTransport } from '../../features/demo/demo-transport.ts';
import { formatUrlTime, type StoryClock } from '../../features/demo/story-clock.ts';
import type { Story } from '../../features/demo/stories/story.ts';
import { VatReturnScreen } from '../../features/vat-returns/vat-return-screen.tsx';
import { setTransport } from '../../lib/api.ts';
import { SavesCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { PageHeader } from '../page-header.tsx';
import { ClockBar } from './clock-bar.tsx';
import { DemoGuide } from './demo-guide.tsx';
import { NotInDemo } from './not-in-demo.tsx';
import styles from './demo.module.css';

/** Needs its own router and AppProviders around it. For another story, use another key. */
export function DemoDashboard({ story, choose, openSignUp }: { story: Story; choose: (key: string) => void; openSignUp: () => void }) {
  // A separate query client, so that no demo data remains for someone who signs in later.
  const [queryClient] = useState(createQueryClient);
  const { search } = useLocation();
  const [{ transport, clock }] = useState(() => createDemoTransport(story, new URLSearchParams(search).get('at')));
  const home = getPageLink('dashboard', { company_id: story.company.company_id });
  const [isReady, setIsReady] = useState(false);
  // Render the screens only once the transport has been replaced, so that no request reaches the network.
  useEffect(() => {
    const undo = setTransport(transport);
    setIsReady(true);
    const unsubscribe = clock.subscribe(() => void queryClient.invalidateQueries());
    return () => {
      unsubscribe();
      undo();
      setIsReady(false);
    };
  }, [transport, clock, queryClient]);
  if (!isReady) return null;
  return (
    // The demo's company must not become the one that opens after signing in.
    <SavesCompanyId value={false}>
      <QueryClientProvider client={queryClient}>
        <DemoFrame clock={clock} story={story} footer={<ClockBar clock={clock} story={story} choose={choose} />}>
          <DemoScreens home={home} openSignUp={openSignUp} />
        </DemoFrame>
      </QueryClientProvider>
    </SavesCompanyId>
  );
}

/** Stores the demo's current date in the URL, so that a reload or a shared link continues there. */
function useTimeInUrl(clock: StoryClock): void {
  const time = formatUrlTime(useSyncExternalStore(clock.subscribe, clock.now));
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const query = new URLSearchParams(search);
    // Without a date in the URL, the story is at its beginning. Going back in the history doesn't move the clock back.
    if ((query.get('at') ?? clock.startTime) === time) return;
    query.set('at', time);
    void navigate({ pathname, search: `?${query}`, hash }, { replace: true });
  }, [clock, time, pathname, search, hash, navigate]);
}

type DemoFrameProps = { clock: StoryClock; story: Story; footer: ReactNode; children: ReactNode };

function DemoFrame({ clock, story, footer, children }: DemoFrameProps) {
  const { pathname } = useLocation();
  useTimeInUrl(clock);
  return (
    <div className={styles.frame}>
      <PageHeader page={findPage(pathname)} />
      <DemoGuide clock={clock} story={story} />
      {children}
      {footer}
    </div>
  );
}

function DemoScreens({ home, openSignUp }: { home: string; openSignUp: () => void }) {
  const { pathname } = useLocation();
  if (pathname === '/') return <Navigate to={home} replace />;
  switch (findPage(pathname)?.name) {
    case 'dashboard':
      return <DashboardScreen />;
    case 'vatReturn':
      return <VatReturnScreen />;
    case 'advance':
      return <AdvanceScreen />;
    case 'linkHmrcAccount':
      return <LinkHmrcScreen />;
    default:
      return <NotInDemo home={home} openSignUp={openSignUp} />;
  }
}
