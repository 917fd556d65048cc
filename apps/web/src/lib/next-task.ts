/** Ends the present task: the browser answers taps and draws before what follows. */
export const waitForNextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
