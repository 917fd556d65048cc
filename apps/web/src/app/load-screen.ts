import type { ComponentType } from 'react';
import { SCREENS } from './screens.ts';

type ScreenName = keyof typeof SCREENS | 'demo';

const loads = new Map<ScreenName, Promise<ComponentType>>();
const loaded = new Map<ScreenName, ComponentType>();

export const isScreenName = (name: string): name is ScreenName => name in SCREENS || name === 'demo';

/** Returns the component of a screen, if it has been loaded. */
export const getLoadedScreen = (name: ScreenName): ComponentType | undefined => loaded.get(name);

/** Loads the file of a screen, only once. */
export function loadScreen(name: ScreenName): Promise<ComponentType> {
  const started = loads.get(name);
  if (started !== undefined) return started;
  const load: Promise<ComponentType> = name === 'demo' ? import('./demo/demo-screen.tsx').then((file) => file.DemoScreen) : SCREENS[name]();
  loads.set(name, load);
  load.then(
    (component) => loaded.set(name, component),
    () => failed.add(name),
  );
  return load;
}

const failed = new Set<ScreenName>();

/** Lets screens that failed to load be loaded again. Called on each navigation, not sooner: rendering again must find the same failure. */
export function clearFailedLoads(): void {
  for (const name of failed) loads.delete(name);
  failed.clear();
}
