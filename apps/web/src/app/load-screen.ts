import { PAGES, type PageName } from '@portal/contract/pages.ts';
import { ACCOUNT_PAGES } from '@portal/contract/pages/account-pages.ts';
import { GENERAL_PAGES } from '@portal/contract/pages/general-pages.ts';
import type { Page } from '@portal/contract/pages/page.ts';
import { PRACTICE_PAGES } from '@portal/contract/pages/practice-pages.ts';
import { TRADER_PAGES } from '@portal/contract/pages/trader-pages.ts';
import type { ComponentType } from 'react';
import type { ACCOUNT_SCREENS } from './screens/account-screens.ts';
import type { GENERAL_SCREENS } from './screens/general-screens.ts';
import type { OPERATOR_SCREENS } from './screens/operator-screens.ts';
import type { PRACTICE_SCREENS } from './screens/practice-screens.ts';
import type { TRADER_SCREENS } from './screens/trader-screens.ts';

type ScreenName =
  | keyof typeof TRADER_SCREENS
  | keyof typeof PRACTICE_SCREENS
  | keyof typeof ACCOUNT_SCREENS
  | keyof typeof GENERAL_SCREENS
  | keyof typeof OPERATOR_SCREENS;
type ScreenList = Readonly<Partial<Record<ScreenName, () => Promise<ComponentType>>>>;

const loads = new Map<ScreenName, Promise<ComponentType>>();
const loaded = new Map<ScreenName, ComponentType>();

/** Pages that have a kind are separate documents. */
export const isScreenName = (name: PageName): name is ScreenName => (PAGES[name] as Page).kind === undefined;

/** Returns the component of a screen, if it has been loaded. */
export const getLoadedScreen = (name: ScreenName): ComponentType | undefined => loaded.get(name);

/** Loads a screen's file, only once. */
export function loadScreen(name: ScreenName): Promise<ComponentType> {
  const screenLoad = loads.get(name);
  if (screenLoad !== undefined) return screenLoad;
  const load = importScreen(name);
  loads.set(name, load);
  load.then(
    (component) => loaded.set(name, component),
    () => failedScreens.add(name),
  );
  return load;
}

async function importScreen(name: ScreenName): Promise<ComponentType> {
  const load = (await importList(name))[name];
  if (load === undefined) throw new Error(`No list has the screen of the page ${name}`);
  return load();
}

/** Each list is a chunk of its own: a page loads only the one that contains its screen, which its document preloads (build.ts). */
async function importList(name: ScreenName): Promise<ScreenList> {
  if (name in TRADER_PAGES) return (await import('./screens/trader-screens.ts')).TRADER_SCREENS;
  if (name in PRACTICE_PAGES) return (await import('./screens/practice-screens.ts')).PRACTICE_SCREENS;
  if (name in ACCOUNT_PAGES) return (await import('./screens/account-screens.ts')).ACCOUNT_SCREENS;
  if (name in GENERAL_PAGES) return (await import('./screens/general-screens.ts')).GENERAL_SCREENS;
  return (await import('./screens/operator-screens.ts')).OPERATOR_SCREENS;
}

const failedScreens = new Set<ScreenName>();

/**
 * Lets screens that failed to load be loaded again. Called on each navigation and no earlier, because rerendering must hit the same
 * failure.
 */
export function clearFailedLoads(): void {
  for (const name of failedScreens) loads.delete(name);
  failedScreens.clear();
}
