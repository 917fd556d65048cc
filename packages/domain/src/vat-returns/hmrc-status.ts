/** The status of a company's or practice's connection to HMRC. `ending`: connected, but the authorisation expires soon. */
export const HMRC_STATUSES = ['not_connected', 'connected', 'ending', 'lapsed', 'declined'] as const;
export type HmrcStatus = (typeof HMRC_STATUSES)[number];

/** For screens that don't warn before an authorisation expires. */
export const HMRC_STATUSES_WITHOUT_ENDING = ['not_connected', 'connected', 'lapsed', 'declined'] as const satisfies readonly HmrcStatus[];
