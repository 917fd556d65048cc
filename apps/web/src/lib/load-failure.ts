/** The error messages of Chromium, Firefox and Safari for a failed dynamic import, and of Vite for a style sheet. */
const LOAD_FAILURE =
  /failed to fetch dynamically imported module|error loading dynamically imported module|importing a module script failed|unable to preload css/i;

/** Returns whether a screen's file failed to load. The cause is then the network or a newer release, not the screen. */
export const isLoadFailure = (error: unknown): boolean => error instanceof Error && LOAD_FAILURE.test(error.message);
