/** The cookie banner on prerendered pages. It has its own root, because their markup contains neither tags nor cookie choices. */
import { createRoot } from 'react-dom/client';
import { ConsentBanner, CookieFooter } from './consent-banner.tsx';

export function renderConsent(path: string): void {
  createRoot(document.body.appendChild(document.createElement('div'))).render(
    <>
      <ConsentBanner path={path} />
      <CookieFooter />
    </>,
  );
}
