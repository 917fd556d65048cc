/** What the browsers say when a part of the page could not be fetched: Chromium, Firefox, Safari; and Vite, of a style sheet. */
const LOAD_FAILURE =
  /failed to fetch dynamically imported module|error loading dynamically imported module|importing a module script failed|unable to preload css/i;

/** Whether a screen's own file did not arrive: a matter of the network or of a newer version, not a fault of the screen. */
export const isLoadFailure = (error: unknown): boolean => error instanceof Error && LOAD_FAILURE.test(error.message);
