import './font.css';
import '../landing/landing.css';
import '../landing/landing-page.css';
import '../landing/door-page.css';
import '../landing/open-tax-landing.css';
import { PAGES } from '@portal/contract/pages.ts';
import { lazy } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { ConsentBanner, CookieFooter } from './consent-banner.tsx';
import { visitRoute, watchVisitor } from './visitor-tracking.ts';
import { recordPartner } from '../lib/partner.ts';
import { brandName, getLandingSettings, PORTAL_BASE, sandboxUrl } from '../lib/settings.ts';
import { registerServiceWorker } from '../lib/register-service-worker.ts';
import { installStorageFallback } from '../lib/storage-fallback.ts';
import { Landing } from '../landing/landing.tsx';
import { OpenTaxLanding } from '../landing/open-tax-landing.tsx';

const LiveDemo = lazy(() => import('./demo/live-demo.tsx').then((file) => ({ default: file.LiveDemo })));

const root = document.getElementById('root');
if (root === null) throw new Error('landing.html has no #root');

installStorageFallback();
const settings = getLandingSettings();
recordPartner(settings.isPartnerPage ? settings.prerenderedFor : undefined);
const path = location.pathname.slice(PORTAL_BASE.length);
const site = { brand: brandName(), sandbox: sandboxUrl() };
const isOpenTax = path.replace(/\/+$/, '') === PAGES.openTaxLanding.path;
hydrateRoot(
  root,
  isOpenTax ? (
    <OpenTaxLanding {...site} prerenderedFor={settings.prerenderedFor} />
  ) : (
    <Landing {...site} {...settings} renderDemo={(openSignUp) => <LiveDemo openSignUp={openSignUp} />} />
  ),
);

// The cookie banner has its own root, because the prerendered markup contains neither tags nor cookie choices.
const consentRoot = document.body.appendChild(document.createElement('div'));
createRoot(consentRoot).render(
  <>
    <ConsentBanner path={path} />
    <CookieFooter />
  </>,
);
watchVisitor();
registerServiceWorker();
visitRoute(path);
