/**
 * The landing page: a preview of the demo behind the sign-up dialog, and the live demo on request. Only the live demo loads the router and
 * React Query.
 */
import { Suspense, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { DemoBanner } from '../features/demo/demo-banner.tsx';
import { getCurrentPartner } from '../lib/partner.ts';
import { SandboxNotice, type Sandbox } from '../ui/sandbox-notice.tsx';
import { DashboardPreview } from './dashboard-preview.tsx';
import { DemoFailure } from './demo-failure.tsx';
import styles from './landing.module.css';
import { SignUpDialog } from './sign-up-dialog.tsx';
import { useDialogPhase } from './use-dialog-phase.ts';

const subscribeToNothing = () => () => undefined;

export type LandingActions = { readonly openSignUp: () => void; readonly showDemo: () => void };

type LandingProps = {
  brand: string;
  sandbox: Sandbox;
  /** The partner that this page is prerendered for. The server chooses the page by cookie and URL. */
  prerenderedFor: string;
  /**
   * Set for a partner's own page, which shows its own content first and the dialog on request. Otherwise, the dialog is open from the
   * start.
   */
  renderCopy?: (actions: LandingActions) => ReactNode;
  /** Renders the live demo, which may still be loading. Called when a visitor requests it. */
  renderDemo: (openSignUp: () => void) => ReactNode;
  /** Called when no dialog covers the page, either immediately or once the visitor closes it. */
  onDialogClosed?: () => void;
};

export function Landing({ brand, sandbox, prerenderedFor, renderCopy, renderDemo, onDialogClosed }: LandingProps) {
  const isPartnerPage = renderCopy !== undefined;
  const dialog = useDialogPhase(isPartnerPage ? 'closed' : 'first');
  const [isLive, setIsLive] = useState(false);
  // Only the browser knows a partner that isn't in the partner table.
  const partner = useSyncExternalStore(subscribeToNothing, getCurrentPartner, () => prerenderedFor);
  const isOpen = dialog.phase !== 'closed';
  useEffect(() => {
    if (!isOpen) onDialogClosed?.();
  }, [isOpen, onDialogClosed]);
  return (
    <>
      {/* While the dialog is open, the page behind it must not be reachable. */}
      <div className={styles.page} inert={isOpen} aria-hidden={isOpen}>
        <SandboxNotice {...sandbox} />
        {(!isPartnerPage || isLive) && <DemoBanner openSignUp={dialog.open} isDialogOpen={isOpen} />}
        {isLive ? (
          <DemoFailure>
            <Suspense fallback={<DashboardPreview brand={brand} isLoading />}>{renderDemo(dialog.open)}</Suspense>
          </DemoFailure>
        ) : (
          (renderCopy?.({ openSignUp: dialog.open, showDemo: () => setIsLive(true) }) ?? <DashboardPreview brand={brand} />)
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
