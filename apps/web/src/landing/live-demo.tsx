/** The demo on the same ground as the real screens. It has its own router: its links stay inside it. */
import { MemoryRouter } from 'react-router';
import { AppProviders } from '../app/app-providers.tsx';
import { DemoDashboard } from '../app/demo/demo-dashboard.tsx';
import { PORTAL_BASE } from '../lib/settings.ts';

export function LiveDemo() {
  return (
    <AppProviders>
      {/* With the portal's base, so that a link opened in a new tab leads to the real page and not to none. */}
      <MemoryRouter basename={PORTAL_BASE} initialEntries={[PORTAL_BASE]}>
        <DemoDashboard />
      </MemoryRouter>
    </AppProviders>
  );
}
