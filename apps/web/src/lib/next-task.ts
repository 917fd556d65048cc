/** Lets the browser handle input and paint first. */
export const waitForNextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
