/** Credentials that Twilio's console would issue: account, token and Verify service. */
export const SANDBOX_TWILIO = {
  accountSid: 'AC5a9d0c1b7e3f48429a6c8d2e1f0b7a35',
  authToken: 'sandbox-twilio-auth-token',
  serviceSid: 'VA2c7e9b0d4f6a41838e5b7c9d1a3f5e60',
} as const;
