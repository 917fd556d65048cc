import './font.css';
import './base.css';
import { findPage, PAGES } from '@portal/contract/pages.ts';
import { hydrateRoot } from 'react-dom/client';
import { renderConsent } from './show-consent.tsx';
import { getVisitedRoute } from './visited-route.ts';
import { recordVisit, trackVisitor } from './visitor-tracking.ts';
import { getBrandName, getSandboxName, PORTAL_BASE } from '../lib/settings.ts';
import { deleteSentEmail } from '../lib/sent-email.ts';
import { registerServiceWorker } from '../lib/register-service-worker.ts';
import { installStorageFallback } from '../lib/storage-fallback.ts';
import { redirectIfSignedIn } from '../login/redirect-signed-in.ts';
import { LoginPage } from '../login/login-page.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('login.html has no #root');

installStorageFallback();
deleteSentEmail();
// Leaving a page writes this item (app-history.ts) after logging out has cleared everything else.
sessionStorage.removeItem('scroll-positions');
const path = location.pathname.slice(PORTAL_BASE.length);
const isV2 = findPage(path)?.path === PAGES.loginV2.path;
hydrateRoot(root, <LoginPage brand={getBrandName()} sandbox={getSandboxName()} isV2={isV2} />);

renderConsent(path);
trackVisitor();
registerServiceWorker();
recordVisit(path, getVisitedRoute(path));
void redirectIfSignedIn();
// The back button restores this page from memory, but the user may have logged in since.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void redirectIfSignedIn();
});
