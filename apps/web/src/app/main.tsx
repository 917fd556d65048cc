/**
 * The first script of the app's page, and a small one: the page's own markup is painted first; then the first data and the libraries come side
 * by side, each library evaluated in a task of its own, so that a slow phone stays answerable meanwhile.
 */
import './font.css';
import './base.css';
import './shell.css';
import '../ui/plain.css';
import '../ui/plain-button.css';
import '../ui/plain-lists.css';
import '../features/dashboard/dashboard.css';
import { waitForNextTask } from '../lib/next-task.ts';
import { prefetchFirstData } from './first-data.ts';

/** After the next frame is on the screen; a hidden window has none, and need not wait. */
function painted(): Promise<void> {
  if (document.visibilityState === 'hidden') return Promise.resolve();
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

const PARTS_A_TASK = 8;

/** Fetches what the build found this page to need (build.ts), without running any of it. */
async function fetchParts(): Promise<void> {
  const parts = document.querySelector('meta[name="portal-parts"]')?.getAttribute('content') ?? '';
  for (const [index, href] of parts
    .split(' ')
    .filter((part) => part !== '')
    .entries()) {
    if (index % PARTS_A_TASK === 0) await waitForNextTask();
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  }
}

/** React, the router, the queries, zod, the contract: each by a module of ours that stands on it, so that only what is used of it comes. */
const PARTS = [
  () => import('react-dom/client'),
  () => import('../ui/plain-button.tsx'),
  () => import('../lib/query-client.ts'),
  () => import('@portal/contract/scalars.ts'),
  () => import('@portal/contract/dashboard.ts'),
  () => import('@portal/contract/identity.ts'),
];

async function start(): Promise<void> {
  await painted();
  prefetchFirstData(location);
  await fetchParts();
  for (const load of PARTS) {
    await load();
    await waitForNextTask();
  }
  const { renderApp: drawApp } = await import('./draw-app.tsx');
  await waitForNextTask();
  await drawApp();
}

void start();
