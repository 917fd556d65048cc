type HeaderFacts = { readonly isAutomatic: boolean; readonly unsubscribeUrl?: string | undefined };

export function getHeaders({ isAutomatic, unsubscribeUrl }: HeaderFacts): Record<string, string> {
  return {
    // Asks automatic responders not to reply (RFC 3834 section 5).
    ...(isAutomatic ? { 'Auto-Submitted': 'auto-generated' } : {}),
    // RFC 8058: email clients show a button that posts to this URL. Our mail server must sign both headers (DKIM).
    ...(unsubscribeUrl === undefined
      ? {}
      : { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  };
}
