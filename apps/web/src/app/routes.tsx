/** The router. Paths and titles come from the contract (pages.ts), and each screen is loaded when it is opened. */
import { listPagePaths, PAGES, type Page } from '@portal/contract/pages.ts';
import type { ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { PORTAL_BASE, showsDevelopmentPages } from '../lib/settings.ts';
import { PageSkeleton } from '../ui/skeletons.tsx';
import { ErrorScreen } from './error-screen.tsx';
import { UnroutedPath } from './unrouted-path.tsx';
import { LeaveForDocument } from './leave-for-document.tsx';
import { SCREENS } from './screens.ts';
import { ScreenLayout } from './screen-layout.tsx';
import { Shell } from './shell.tsx';

/** The login page is a separate document, so opening its path inside the app loads that document. */
const LOADERS = { ...SCREENS, login: () => Promise.resolve(LeaveForDocument), loginV2: () => Promise.resolve(LeaveForDocument) };

function getRoutes(name: keyof typeof LOADERS): RouteObject[] {
  const page: Page = PAGES[name];
  if (page.onlyInDevelopment === true && !showsDevelopmentPages()) return [];
  const load: () => Promise<ComponentType> = LOADERS[name];
  return listPagePaths(PAGES[name]).map((path) => ({ path, lazy: async () => ({ Component: await load() }) }));
}

/** The demo has no session and answers requests from memory, so it is outside the shell. All its pages share one frame. */
const DEMO: RouteObject = {
  errorElement: <ErrorScreen />,
  HydrateFallback: PageSkeleton,
  Component: ScreenLayout,
  children: [
    {
      lazy: () => import('./demo/demo-screen.tsx').then((file) => ({ Component: file.DemoScreen })),
      children: listPagePaths(PAGES.demo).map((path) => ({ path, element: null })),
    },
  ],
};

export function createRouter() {
  const screens = Object.keys(LOADERS) as (keyof typeof LOADERS)[];
  return createBrowserRouter(
    [
      DEMO,
      {
        Component: Shell,
        errorElement: <ErrorScreen />,
        HydrateFallback: PageSkeleton,
        children: [
          {
            // Inside the shell, so that the header stays if a screen fails.
            errorElement: <ErrorScreen />,
            children: [
              {
                Component: ScreenLayout,
                children: [
                  {
                    errorElement: <ErrorScreen />,
                    children: [...screens.flatMap(getRoutes), { path: '*', Component: UnroutedPath }],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
    { basename: PORTAL_BASE },
  );
}
