/** The connection of a company or a practice to HMRC; `ending`: connected, but its permission runs out soon. */
export const HMRC_STATUSES = ['not_connected', 'connected', 'ending', 'lapsed', 'declined'] as const;
export type HmrcStatus = (typeof HMRC_STATUSES)[number];

/** For screens that don't warn before a connection ends. */
export const HMRC_STATUSES_WITHOUT_ENDING = ['not_connected', 'connected', 'lapsed', 'declined'] as const satisfies readonly HmrcStatus[];
