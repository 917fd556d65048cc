import { dashboardApi } from '@portal/contract/dashboard.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { apiQuery } from '../lib/api.ts';
import { waitForNextTask } from '../lib/next-task.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { registerServiceWorker } from '../lib/register-service-worker.ts';
import { recordPartner } from '../lib/partner.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { installStorageFallback } from '../lib/storage-fallback.ts';
import { createRouter } from './routes.tsx';
import { InitialSession, readSession } from '../core/session.tsx';
import type { Session } from '../core/session-state.ts';

type Router = ReturnType<typeof createRouter>;

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
  await waitForNextTask();
  const router = createRouter();
  const queries = createQueryClient();
  const [session] = await Promise.all([prefetchDashboard(queries), waitForRouter(router)]);
  const reactRoot = createRoot(root);
  startTransition(() => {
    reactRoot.render(
      <StrictMode>
        <InitialSession value={session}>
          <QueryClientProvider client={queries}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </InitialSession>
      </StrictMode>,
    );
  });
}

/**
 * The dashboard's prerendered frame (first-paint.tsx) stays until its data has arrived, so that nothing is rendered twice. Other pages
 * render at once.
 */
async function prefetchDashboard(queries: QueryClient): Promise<Session | undefined> {
  const companyId = new URLSearchParams(location.search).get('company_id') ?? '';
  if (location.pathname !== `${PORTAL_BASE}${PAGES.dashboard.path}` || companyId === '') return undefined;
  const [session] = await Promise.all([readSession(), queries.prefetchQuery(apiQuery(dashboardApi.get, { company_id: companyId }))]);
  return session;
}

/** Resolves when the router has loaded the first screen, or has an error screen to show. */
function waitForRouter(router: Router): Promise<void> {
  if (router.state.initialized) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
}
