/** Messages for HMRC's rejections of a return: what happened, what it means and what to do. */
const MESSAGE_BY_CODE: Readonly<Record<string, string>> = {
  DUPLICATE_SUBMISSION: 'HMRC already holds a return for this period. Nothing was filed now.',
  TAX_PERIOD_NOT_ENDED: 'HMRC says that the period has not ended yet. Nothing was filed; file it after its last day.',
  PERIOD_KEY_INVALID: 'HMRC does not expect a return for this period. Nothing was filed; refresh the figures from HMRC.',
  RULE_INSOLVENT_TRADER:
    'HMRC treats the business as insolvent and takes no return online. Nothing was filed; speak to the insolvency practitioner.',
  CLIENT_OR_AGENT_NOT_AUTHORISED: 'The connection no longer reaches this VAT number. Nothing was filed; connect HMRC again.',
};

/** The message for an HMRC error code; an unknown code shows HMRC's own text. */
export function explainRefusal(code: string | undefined, detail: string | undefined): string {
  const known = code === undefined ? undefined : MESSAGE_BY_CODE[code];
  if (known !== undefined) return known;
  return `HMRC refused the return${detail ? `: ${detail.replace(/\.$/, '')}` : ''}. Nothing was filed.`;
}
