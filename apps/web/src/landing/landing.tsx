/** The landing page: a still of the demo behind the sign-up dialog; the live demo once a visitor asks for it. No MUI, no queries before that. */
import { lazy, Suspense, useSyncExternalStore, useState } from 'react';
import { DemoBanner } from '../features/demo/demo-banner.tsx';
import { currentPartner } from '../lib/partner.ts';
import { DashboardStill } from './dashboard-still.tsx';
import { DemoFailure } from './demo-failure.tsx';
import { SignUpDialog } from './sign-up-dialog.tsx';
import { useDialogPhase } from './use-dialog-phase.ts';

const LiveDemo = lazy(() => import('./live-demo.tsx').then((file) => ({ default: file.LiveDemo })));

const never = () => () => undefined;

export function Landing({ brand, sandbox }: { brand: string; sandbox: string }) {
  const dialog = useDialogPhase();
  const [isLive, setIsLive] = useState(false);
  // Prerendered for visitors whom nobody sent; the partner is known in the browser only.
  const partner = useSyncExternalStore(never, currentPartner, () => 'organic');
  const isOpen = dialog.phase !== 'closed';
  return (
    <>
      {/* The page behind an open dialog can be neither reached nor read. */}
      <div className="page" inert={isOpen} aria-hidden={isOpen}>
        {/* Always in the page, hidden by its style where there is no sandbox: the server knows the address only after this is drawn. */}
        <aside className="sandbox" data-url={sandbox} aria-label="Sandbox">
          Sandbox: no real money moves, nothing reaches HMRC.{' '}
          <a href={sandbox} target="_blank" rel="noreferrer">
            Open the sandbox
          </a>
        </aside>
        <DemoBanner openSignUp={dialog.open} isDialogOpen={isOpen} />
        {isLive ? (
          <DemoFailure>
            <Suspense fallback={<DashboardStill brand={brand} isLoading />}>
              <LiveDemo />
            </Suspense>
          </DemoFailure>
        ) : (
          <DashboardStill brand={brand} />
        )}
      </div>
      {isOpen && (
        <SignUpDialog
          partner={partner}
          phase={dialog.phase}
          close={dialog.close}
          showDemo={() => {
            dialog.close();
            setIsLive(true);
          }}
        />
      )}
    </>
  );
}
