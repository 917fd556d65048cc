/** The connection of a company or a practice to HMRC; `ending`: connected, but its permission runs out soon. */
export const HMRC_STATUSES = ['not_connected', 'connected', 'ending', 'lapsed', 'declined'] as const;
export type HmrcStatus = (typeof HMRC_STATUSES)[number];
