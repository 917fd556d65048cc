/**
 * The landing page: a preview of the demo behind the sign-up dialog, and the live demo on request. MUI and React Query are not loaded
 * before that.
 */
import { findPartner } from '@portal/domain/partners/partners.ts';
import { Suspense, useSyncExternalStore, useState, type ReactNode } from 'react';
import { DemoBanner } from '../features/demo/demo-banner.tsx';
import { getCurrentPartner } from '../lib/partner.ts';
import { DashboardPreview } from './dashboard-preview.tsx';
import { PartnerLanding } from './partner-landing.tsx';
import { DemoFailure } from './demo-failure.tsx';
import { SignUpDialog } from './sign-up-dialog.tsx';
import { useDialogPhase } from './use-dialog-phase.ts';

const neverChanges = () => () => undefined;

type LandingProps = {
  brand: string;
  sandbox: string;
  /** The partner this page is prerendered for. The server chooses the page by cookie and URL. */
  prerenderedFor: string;
  /** Whether this is a partner's own page, which shows its copy first and the dialog on request. */
  isPartnerPage: boolean;
  /** Renders the live demo, which may still be loading. Called when a visitor asks for it. */
  renderDemo: (openSignUp: () => void) => ReactNode;
};

export function Landing({ brand, sandbox, prerenderedFor, isPartnerPage, renderDemo }: LandingProps) {
  const dialog = useDialogPhase(isPartnerPage ? 'closed' : 'first');
  const [isLive, setIsLive] = useState(false);
  // A partner that is not in the partner table is only known in the browser.
  const partner = useSyncExternalStore(neverChanges, getCurrentPartner, () => prerenderedFor);
  const isOpen = dialog.phase !== 'closed';
  return (
    <>
      {/* The page behind an open dialog must not be reachable. */}
      <div className="page" inert={isOpen} aria-hidden={isOpen}>
        {/* The link is always in the markup, because the server knows the sandbox URL only after prerendering. CSS hides it if there is no sandbox. */}
        <aside className="sandbox" data-url={sandbox} aria-label="Sandbox">
          Sandbox: no real money moves, nothing reaches HMRC.{' '}
          <a href={sandbox} target="_blank" rel="noreferrer">
            Open the sandbox
          </a>
        </aside>
        {(!isPartnerPage || isLive) && <DemoBanner openSignUp={dialog.open} isDialogOpen={isOpen} />}
        {isLive ? (
          <DemoFailure>
            <Suspense fallback={<DashboardPreview brand={brand} isLoading />}>{renderDemo(dialog.open)}</Suspense>
          </DemoFailure>
        ) : isPartnerPage ? (
          <PartnerLanding brand={brand} partner={findPartner(prerenderedFor)} openSignUp={dialog.open} showDemo={() => setIsLive(true)} />
        ) : (
          <DashboardPreview brand={brand} />
        )}
      </div>
      {isOpen && (
        <SignUpDialog
          partner={partner}
          stepsSection={isPartnerPage ? 'signup' : 'steps'}
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
