/** Clients get mail that leaves by itself by day (Europe/London). */
export const SENDING_HOURS = { from: 8, until: 18 };
