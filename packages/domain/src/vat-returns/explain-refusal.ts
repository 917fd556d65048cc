/** Messages for HMRC's rejections of a return: what happened, what it means and what to do. */
const MESSAGE_BY_CODE: Readonly<Record<string, string>> = {
  DUPLICATE_SUBMISSION:
    'HMRC already has a return for this period, which wasn’t filed here. Nothing was filed this time. Refresh the figures from HMRC to see it.',
  TAX_PERIOD_NOT_ENDED: 'HMRC says that the period hasn’t ended yet. Nothing was filed. You can file after its last day.',
  PERIOD_KEY_INVALID: 'HMRC isn’t expecting a return for this period. Nothing was filed. Refresh the figures from HMRC.',
  RULE_INSOLVENT_TRADER:
    'HMRC treats the business as insolvent and doesn’t accept returns online. Nothing was filed. Contact the insolvency practitioner.',
  CLIENT_OR_AGENT_NOT_AUTHORISED: 'Your HMRC connection no longer covers this VAT number. Nothing was filed. Reconnect HMRC.',
};

/** Messages for HMRC errors that mean something else when a practice files for its client. */
const AGENT_MESSAGE_BY_CODE: Readonly<Record<string, string>> = {
  CLIENT_OR_AGENT_NOT_AUTHORISED:
    'HMRC says your practice isn’t authorised for this client’s VAT. Nothing was filed. Request authorisation on the client’s page, then file.',
};

/** Returns the message for an HMRC error code; an unknown code shows HMRC's own text. `isAgent`: a practice is filing for its client. */
export function explainRefusal(code: string | undefined, detail: string | undefined, isAgent = false): string {
  const knownMessage = code === undefined ? undefined : ((isAgent ? AGENT_MESSAGE_BY_CODE[code] : undefined) ?? MESSAGE_BY_CODE[code]);
  if (knownMessage !== undefined) return knownMessage;
  return `HMRC rejected the return${detail ? `: ${detail.replace(/\.$/, '')}` : ''}. Nothing was filed.`;
}
