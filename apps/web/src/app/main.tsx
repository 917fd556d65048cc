/**
 * The app's first script. Small, so that the prerendered markup is painted first. Then the first data and the libraries load in parallel.
 * Each library is evaluated in a task of its own, so that slow phones stay responsive.
 */
import './font.css';
import './base.css';
import '../features/dashboard/dashboard-screen.module.css';
import { waitForNextTask } from '../lib/next-task.ts';
import { prefetchFirstData } from './first-data.ts';

/** Resolves after the next frame. A hidden window doesn't have frames, so this doesn't wait there. */
function waitForPaint(): Promise<void> {
  if (document.visibilityState === 'hidden') return Promise.resolve();
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

const CHUNKS_PER_TASK = 8;

/** Preloads the chunks that this page needs according to the build (build.ts), without running them. */
async function preloadChunks(): Promise<void> {
  const chunkUrls = document.querySelector('meta[name="portal-parts"]')?.getAttribute('content') ?? '';
  for (const [index, href] of chunkUrls
    .split(' ')
    .filter((url) => url !== '')
    .entries()) {
    if (index % CHUNKS_PER_TASK === 0) await waitForNextTask();
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  }
}

/**
 * React, the router, the queries, zod and the contract. Each is imported through a module of our own, so that unused parts aren't loaded.
 */
const LIBRARIES = [
  () => import('react-dom/client'),
  () => import('../ui/button.tsx'),
  () => import('../lib/query-client.ts'),
  () => import('@portal/contract/scalars.ts'),
  () => import('@portal/contract/identity.ts'),
];

async function start(): Promise<void> {
  await waitForPaint();
  prefetchFirstData(location);
  await preloadChunks();
  for (const load of LIBRARIES) {
    await load();
    await waitForNextTask();
  }
  const { renderApp: render } = await import('./render-app.tsx');
  await waitForNextTask();
  await render();
}

void start();
