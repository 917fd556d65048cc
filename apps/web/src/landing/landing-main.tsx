import '../app/font.css';
import './landing.css';
import './landing-page.css';
import './door-page.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { ConsentBanner, CookieFooter } from '../app/consent-banner.tsx';
import { visitRoute, watchVisitor } from '../app/visitor-tracking.ts';
import { keepPartner } from '../lib/partner.ts';
import { brandName, landingFacts, PORTAL_BASE, sandboxUrl } from '../lib/settings.ts';
import { keepStorageUsable } from '../lib/usable-storage.ts';
import { Landing } from './landing.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('landing.html has no #root');

keepStorageUsable();
const facts = landingFacts();
keepPartner(facts.isDoor ? facts.drawnFor : undefined);
hydrateRoot(root, <Landing brand={brandName()} sandbox={sandboxUrl()} {...facts} />);

// A root of its own, behind the page: what was drawn on the server knows neither tags nor choices.
const path = location.pathname.slice(PORTAL_BASE.length);
const aside = document.body.appendChild(document.createElement('div'));
createRoot(aside).render(
  <>
    <ConsentBanner path={path} />
    <CookieFooter />
  </>,
);
watchVisitor();
visitRoute(path);
