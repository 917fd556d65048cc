/** The demo on the same ground as the real screens. It has its own router: its links stay inside it. */
import { useState } from 'react';
import { MemoryRouter } from 'react-router';
import { AppProviders } from '../app/app-providers.tsx';
import { DemoDashboard } from '../app/demo/demo-dashboard.tsx';
import { findStory } from '../features/demo/list-stories.ts';
import { PORTAL_BASE } from '../lib/settings.ts';

export function LiveDemo() {
  const [key, setKey] = useState<string | null>(null);
  const story = findStory(key);
  return (
    <AppProviders>
      {/* With the portal's base, so that a link opened in a new tab leads to the real page and not to none. */}
      <MemoryRouter key={story.key} basename={PORTAL_BASE} initialEntries={[PORTAL_BASE]}>
        <DemoDashboard story={story} choose={setKey} />
      </MemoryRouter>
    </AppProviders>
  );
}
