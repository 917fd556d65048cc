import { PAGES } from '@portal/contract/pages.ts';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { apiQuery } from '../lib/api.ts';
import { createAppHistory } from '../lib/app-history.ts';
import { waitForNextTask } from '../lib/next-task.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { registerServiceWorker } from '../lib/register-service-worker.ts';
import { recordPartner } from '../lib/partner.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { installStorageFallback } from '../lib/storage-fallback.ts';
import { AppRouter } from './app-router.tsx';
import { clearFailedLoads, isScreenName, loadScreen } from './load-screen.ts';
import { preloadScreens } from './preload-screens.ts';
import { Routes } from './routes.tsx';
import { findShownPage } from './screen-at-path.tsx';
import { InitialSession, readSession } from '../core/session.tsx';
import type { Session } from '../core/session-state.ts';

/**
 * Renders the app in place of the prerendered markup, once the first screen has loaded. Uses a transition, so that the browser can handle
 * input during rendering.
 */
export async function renderApp(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root');
  installStorageFallback();
  recordPartner();
  registerServiceWorker();
  preloadScreens();
  await waitForNextTask();
  const history = createAppHistory();
  history.listen(clearFailedLoads);
  const queryClient = createQueryClient();
  const [session] = await Promise.all([prefetchDashboard(queryClient), loadFirstScreen()]);
  const reactRoot = createRoot(root);
  startTransition(() => {
    reactRoot.render(
      <StrictMode>
        <InitialSession value={session}>
          <QueryClientProvider client={queryClient}>
            <AppRouter history={history}>
              <Routes />
            </AppRouter>
          </QueryClientProvider>
        </InitialSession>
      </StrictMode>,
    );
  });
}

/**
 * Keeps the dashboard's prerendered frame (first-paint.tsx) until its data has arrived, so that nothing is rendered twice. Other pages
 * render immediately.
 */
async function prefetchDashboard(queryClient: QueryClient): Promise<Session | undefined> {
  const companyId = new URLSearchParams(location.search).get('company_id') ?? '';
  if (location.pathname !== `${PORTAL_BASE}${PAGES.dashboard.path}` || companyId === '') return undefined;
  const { dashboardApi } = await import('@portal/contract/dashboard.ts');
  const [session] = await Promise.all([readSession(), queryClient.prefetchQuery(apiQuery(dashboardApi.get, { company_id: companyId }))]);
  return session;
}

/** Failures are shown by the screen's error boundary. */
async function loadFirstScreen(): Promise<void> {
  const page = findShownPage(location.pathname.slice(PORTAL_BASE.length));
  if (page !== undefined && isScreenName(page.name)) await loadScreen(page.name).catch(() => undefined);
}
