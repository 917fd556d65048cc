/** Ends the present task: the browser answers taps and draws before what follows. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
