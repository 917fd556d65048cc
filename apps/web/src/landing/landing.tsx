/** The landing page: a still of the demo behind the sign-up dialog; the live demo once a visitor asks for it. No MUI, no queries before that. */
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
  /** The partner this page is drawn for; the server chooses the page by cookie and address. */
  drawnFor: string;
  /** A partner's own page: its words first, the dialog when asked for. */
  isDoor: boolean;
  /** Renders the live demo, which may still be loading; called once a visitor asks for it. */
  renderDemo: (openSignUp: () => void) => ReactNode;
};

export function Landing({ brand, sandbox, drawnFor, isDoor, renderDemo }: LandingProps) {
  const dialog = useDialogPhase(isDoor ? 'closed' : 'first');
  const [isLive, setIsLive] = useState(false);
  // A name that is in no row of the table is known in the browser only.
  const partner = useSyncExternalStore(never, getCurrentPartner, () => drawnFor);
  const isOpen = dialog.phase !== 'closed';
  return (
    <>
      {/* The page behind an open dialog must not be reachable. */}
      <div className="page" inert={isOpen} aria-hidden={isOpen}>
        {/* Always in the page, hidden by its style where there is no sandbox: the server knows the address only after this is drawn. */}
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
