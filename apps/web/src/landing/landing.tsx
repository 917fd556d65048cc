/**
 * The landing page: a preview of the demo behind the sign-up dialog, and the live demo on request. MUI and React Query are not loaded
 * before that.
 */
import { findPartner } from '@portal/domain/partners/partners.ts';
import { Suspense, useSyncExternalStore, useState, type ReactNode } from 'react';
import { DemoBanner } from '../features/demo/demo-banner.tsx';
import { getCurrentPartner } from '../lib/partner.ts';
import { DashboardStill } from './dashboard-still.tsx';
import { DoorPage } from './door-page.tsx';
import { DemoFailure } from './demo-failure.tsx';
import { SignUpDialog } from './sign-up-dialog.tsx';
import { useDialogPhase } from './use-dialog-phase.ts';

const never = () => () => undefined;

type LandingProps = {
  brand: string;
  sandbox: string;
  /** The partner this page is prerendered for. The server chooses the page by cookie and URL. */
  drawnFor: string;
  /** Whether this is a partner's own page: its copy first, the dialog on request. */
  isDoor: boolean;
  /** Renders the live demo, which may still be loading. Called when a visitor asks for it. */
  renderDemo: (openSignUp: () => void) => ReactNode;
};

export function Landing({ brand, sandbox, drawnFor, isDoor, renderDemo }: LandingProps) {
  const dialog = useDialogPhase(isDoor ? 'closed' : 'first');
  const [isLive, setIsLive] = useState(false);
  // A partner that is not in the partner table is only known in the browser.
  const partner = useSyncExternalStore(never, getCurrentPartner, () => drawnFor);
  const isOpen = dialog.phase !== 'closed';
  return (
    <>
      {/* The page behind an open dialog must not be reachable. */}
      <div className="page" inert={isOpen} aria-hidden={isOpen}>
        {/* Always in the markup, because the server knows the sandbox URL only after prerendering. CSS hides it if there is none. */}
        <aside className="sandbox" data-url={sandbox} aria-label="Sandbox">
          Sandbox: no real money moves, nothing reaches HMRC.{' '}
          <a href={sandbox} target="_blank" rel="noreferrer">
            Open the sandbox
          </a>
        </aside>
        {(!isDoor || isLive) && <DemoBanner openSignUp={dialog.open} isDialogOpen={isOpen} />}
        {isLive ? (
          <DemoFailure>
            <Suspense fallback={<DashboardStill brand={brand} isLoading />}>{renderDemo(dialog.open)}</Suspense>
          </DemoFailure>
        ) : isDoor ? (
          <DoorPage brand={brand} partner={findPartner(drawnFor)} openSignUp={dialog.open} showDemo={() => setIsLive(true)} />
        ) : (
          <DashboardStill brand={brand} />
        )}
      </div>
      {isOpen && (
        <SignUpDialog
          partner={partner}
          stepsAt={isDoor ? 'signup' : 'steps'}
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
