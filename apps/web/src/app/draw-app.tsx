import { dashboardApi } from '@portal/contract/dashboard.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { ask } from '../lib/api.ts';
import { nextTask } from '../lib/next-task.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { keepOfflinePage } from '../lib/offline-page.ts';
import { keepPartner } from '../lib/partner.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { keepStorageUsable } from '../lib/usable-storage.ts';
import { createRouter } from './routes.tsx';
import { FirstSession, readSession } from '../core/session.tsx';
import type { Session } from '../core/session-state.ts';

type Router = ReturnType<typeof createRouter>;

/** Draws the app in place of the page's own markup: once the first screen is loaded, and in slices, so that the browser answers in between. */
export async function drawApp(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root');
  keepStorageUsable();
  keepPartner();
  keepOfflinePage();
  await nextTask();
  const router = createRouter();
  const queries = createQueryClient();
  const [session] = await Promise.all([readFirst(queries), initialised(router)]);
  const drawn = createRoot(root);
  startTransition(() => {
    drawn.render(
      <StrictMode>
        <FirstSession value={session}>
          <QueryClientProvider client={queries}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </FirstSession>
      </StrictMode>,
    );
  });
}

/** The dashboard's document already shows its frame (first-paint.tsx): it stands until the figures are here, and nothing is drawn twice. Other pages are drawn at once. */
async function readFirst(queries: QueryClient): Promise<Session | undefined> {
  const companyId = new URLSearchParams(location.search).get('company_id') ?? '';
  if (location.pathname !== `${PORTAL_BASE}${PAGES.dashboard.path}` || companyId === '') return undefined;
  const [session] = await Promise.all([readSession(), queries.prefetchQuery(ask(dashboardApi.get, { company_id: companyId }))]);
  return session;
}

/** The router has loaded the first screen, or has failed to and has its error screen to show. */
function initialised(router: Router): Promise<void> {
  if (router.state.initialized) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
}
