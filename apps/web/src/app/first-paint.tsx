/** Prerendered markup that the app's documents show before any script has run: the page's frame with placeholders. */
import { renderToString } from 'react-dom/server';
import { DashboardSkeleton } from '../features/dashboard/dashboard-skeleton.tsx';
import { HiddenText } from '../ui/hidden-text.tsx';
import { PageBody } from '../ui/page-body.tsx';
import { Bar } from './headers/bar.tsx';
import { Logo } from './logo.tsx';
import { SandboxBanner } from './sandbox-banner.tsx';
import styles from './shell.module.css';

/** For pages without a more specific prerendered frame. */
function PlainFirstPaint() {
  return (
    <div className={styles.frame}>
      <div className={styles.first}>
        <Logo />
      </div>
    </div>
  );
}

function DashboardFirstPaint() {
  return (
    <div className={styles.frame}>
      <SandboxBanner />
      <Bar>
        <Logo />
      </Bar>
      <PageBody title="Your VAT refunds" lead="&nbsp;">
        <div aria-busy="true">
          <HiddenText role="status">Loading</HiddenText>
          <DashboardSkeleton />
        </div>
      </PageBody>
    </div>
  );
}

export type FirstPaint = {
  readonly file: string;
  readonly markup: string;
  /** The chunk of the screen that replaces the frame. Its scripts are preloaded together with the app's. */
  readonly screen?: string;
};

/** Renders the app's documents: one for most pages, and one for the dashboard, which is opened most often. */
export function renderFirstPaints(): FirstPaint[] {
  return [
    { file: 'index.html', markup: renderToString(<PlainFirstPaint />) },
    { file: 'dashboard.html', markup: renderToString(<DashboardFirstPaint />), screen: 'dashboard-screen' },
  ];
}
