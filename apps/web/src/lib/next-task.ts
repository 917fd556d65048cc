/** Lets the browser handle input and paint before the next step. */
export const waitForNextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
