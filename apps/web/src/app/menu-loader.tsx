import { lazy, Suspense } from 'react';
import { CentredSpinner } from './centred-spinner.tsx';

/** Called on hover or focus of the button, so that the menu has loaded by the time the button is pressed. */
export const loadMenu = () => import('./menu-panel.tsx');

const Menu = lazy(() => loadMenu().then((file) => ({ default: file.MenuPanel })));

export function OpenMenu() {
  return (
    <Suspense fallback={<CentredSpinner label="Loading the menu" />}>
      <Menu />
    </Suspense>
  );
}
