/** Shared by the scripts of the prerendered landing pages. */
import './font.css';
import './base.css';
import { lazy, type ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { recordPartner } from '../lib/partner.ts';
import { registerServiceWorker } from '../lib/register-service-worker.ts';
import { getBrandName, getPrerenderedFor, getSandboxName, PORTAL_BASE } from '../lib/settings.ts';
import type { Sandbox } from '../ui/sandbox-notice.tsx';
import { installStorageFallback } from '../lib/storage-fallback.ts';
import { recordVisit, trackVisitor } from './visitor-tracking.ts';

const LiveDemo = lazy(() => import('./demo/live-demo.tsx').then((file) => ({ default: file.LiveDemo })));

export const renderLiveDemo = (openSignUp: () => void): ReactNode => <LiveDemo openSignUp={openSignUp} />;

type Site = { readonly brand: string; readonly sandbox: Sandbox; readonly prerenderedFor: string };

/** `isPartnerPage`: the prerendered page is a partner's own page. */
export function startLanding(render: (site: Site) => ReactNode, { isPartnerPage = false }: { isPartnerPage?: boolean } = {}): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('landing.html has no #root');
  installStorageFallback();
  const prerenderedFor = getPrerenderedFor();
  recordPartner(isPartnerPage ? prerenderedFor : undefined);
  hydrateRoot(root, render({ brand: getBrandName(), sandbox: getSandboxName(), prerenderedFor }));
  trackVisitor();
  registerServiceWorker();
  const path = location.pathname.slice(PORTAL_BASE.length);
  // The server serves landing pages only at their own paths and with their own title.
  recordVisit(path, { pattern: path.replace(/\/+$/, ''), title: document.title });
}

let isConsentShown = false;

/** Loads the cookie banner. If a dialog covers the page, this is called when the dialog closes. */
export function showConsent(): void {
  if (isConsentShown) return;
  isConsentShown = true;
  void import('./show-consent.tsx').then((file) => file.renderConsent(location.pathname.slice(PORTAL_BASE.length)));
}
