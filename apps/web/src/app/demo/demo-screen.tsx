/**
 * The demo at its own URL (docs/product/specification.md section 2.2): banner, sign-up dialog and the real screens showing a story in
 * memory. Outside the shell, because it doesn't have a session.
 */
import { useNavigate } from 'react-router';
import { useSearchParams } from '../../lib/search-params.ts';
import { DemoBanner } from '../../features/demo/demo-banner.tsx';
import { findStory } from '../../features/demo/list-stories.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { SignUpDialog } from '../../landing/sign-up-dialog.tsx';
import { useDialogPhase } from '../../landing/use-dialog-phase.ts';
import { getCurrentPartner } from '../../lib/partner.ts';
import { OfflineNote } from '../offline-note.tsx';
import { SandboxBanner } from '../sandbox-banner.tsx';
import { DemoDashboard } from './demo-dashboard.tsx';
import { DemoRouter } from './demo-router.tsx';
import styles from './demo.module.css';

export function DemoScreen() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const dialog = useDialogPhase('closed');
  const story = findStory(search.get('story'));
  const isOpen = dialog.phase !== 'closed';
  return (
    <>
      {/* The page behind an open dialog must not be reachable. */}
      <div inert={isOpen} aria-hidden={isOpen} className={styles.page}>
        <SandboxBanner />
        <DemoBanner openSignUp={dialog.open} isDialogOpen={isOpen} />
        <OfflineNote />
        <DemoRouter story={story}>
          <DemoDashboard
            key={story.key}
            story={story}
            choose={(key) => void navigate({ pathname: PAGES.demo.path, search: `?story=${key}` })}
            openSignUp={dialog.open}
          />
        </DemoRouter>
      </div>
      {isOpen && <SignUpDialog partner={getCurrentPartner()} phase={dialog.phase} close={dialog.close} showDemo={dialog.close} />}
    </>
  );
}
