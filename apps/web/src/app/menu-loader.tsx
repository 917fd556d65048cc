import { lazy, Suspense } from 'react';
import { CentredSpinner } from './centred-spinner.tsx';

/** Begins to load the menu: when somebody reaches for its button, so that it is there when they press it. */
export const loadMenu = () => import('./menu-on-mui.tsx');

const Menu = lazy(() => loadMenu().then((file) => ({ default: file.MenuOnMui })));

export function OpenMenu() {
  return (
    <Suspense fallback={<CentredSpinner label="Loading the menu" />}>
      <Menu />
    </Suspense>
  );
}
