/** The demo on the same ground as the real screens. It has its own router: its links stay inside it. */
import { MemoryRouter } from 'react-router';
import { AppProviders } from '../app/app-providers.tsx';
import { DemoDashboard } from '../app/demo/demo-dashboard.tsx';

export function LiveDemo() {
  return (
    <AppProviders>
      <MemoryRouter>
        <DemoDashboard />
      </MemoryRouter>
    </AppProviders>
  );
}
