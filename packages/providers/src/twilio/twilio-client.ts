/** Client for Twilio Verify v2: two form posts with Basic authentication. Twilio's own library is 16 MB and hard-codes the host. */
import type { CodeCheck } from '@portal/domain/identity/code-check.ts';
import type { z } from 'zod';
import { wasNeverSent } from '../http/was-never-sent.ts';
import { parseJson } from '../http/parse-json.ts';
import { ProviderError, type ProviderErrorFacts, type ProviderFailure } from '../http/provider-error.ts';
import { parseRetryAfterSeconds } from '../http/retry-after.ts';
import type { E164, PhoneVerification } from './twilio-port.ts';
import { TWILIO_CODES, twilioErrorWire, verificationCheckWire, verificationWire } from './twilio-wire.ts';

/** `apiUrl` doesn't have a trailing slash: "https://verify.twilio.com". An API key's SID and secret work as well as the account's. */
export type TwilioVerifySettings = {
  readonly apiUrl: string;
  readonly accountSid: string;
  readonly authToken: string;
  readonly serviceSid: string;
  readonly fetch: typeof globalThis.fetch;
  /** Time limit for one call; default 15 seconds. */
  readonly timeoutMs?: number;
};

type TwilioResponse = { readonly operation: string; readonly status: number; readonly body: unknown; readonly headers: Headers };

export function createTwilioVerifyClient(settings: TwilioVerifySettings): PhoneVerification {
  return {
    start: async ({ phone, locale }) => {
      const form = { To: phone, Channel: 'sms', ...(locale === undefined ? {} : { Locale: locale }) };
      const response = await postToTwilio(settings, 'start_verification', 'Verifications', form);
      const { to } = readSuccess(response, verificationWire);
      return { sentTo: to as E164 };
    },
    // Twilio's path is singular here.
    check: async ({ phone, code }) =>
      readCheck(await postToTwilio(settings, 'check_verification', 'VerificationCheck', { To: phone, Code: code })),
  };
}

function readCheck(twilioResponse: TwilioResponse): CodeCheck {
  const code = parseTwilioError(twilioResponse)?.code;
  if (twilioResponse.status === 404 && code === TWILIO_CODES.notFound) return 'expired';
  if (twilioResponse.status === 429 && code === TWILIO_CODES.maxChecks) return 'too_many_attempts';
  const { status, valid } = readSuccess(twilioResponse, verificationCheckWire);
  if (status === 'approved' && valid) return 'approved';
  switch (status) {
    // A wrong code isn't an HTTP error: the verification stays pending.
    case 'pending':
      return 'wrong_code';
    case 'max_attempts_reached':
      return 'too_many_attempts';
    case 'expired':
    case 'canceled':
    case 'deleted':
    case 'failed':
      return 'expired';
    default:
      throw createError(twilioResponse, 'unknown', { detail: `unknown status ${status}` });
  }
}

async function postToTwilio(
  settings: TwilioVerifySettings,
  operation: string,
  resource: string,
  form: Record<string, string>,
): Promise<TwilioResponse> {
  const { apiUrl, accountSid, authToken, serviceSid } = settings;
  try {
    const response = await settings.fetch(`${apiUrl}/v2/Services/${serviceSid}/${resource}`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(form).toString(),
      redirect: 'manual',
      signal: AbortSignal.timeout(settings.timeoutMs ?? 15_000),
    });
    return { operation, status: response.status, body: parseJson(await response.text()), headers: response.headers };
  } catch (error) {
    throw new ProviderError(wasNeverSent(error) ? 'unavailable' : 'unknown', { provider: 'twilio', operation }, error);
  }
}

function readSuccess<Wire extends z.ZodType>(twilioResponse: TwilioResponse, wire: Wire): z.infer<Wire> {
  if (twilioResponse.status !== 200 && twilioResponse.status !== 201) throw toProviderError(twilioResponse);
  const parsed = wire.safeParse(twilioResponse.body);
  if (!parsed.success) throw createError(twilioResponse, 'unknown', { detail: 'The response doesn’t match the published format.' });
  return parsed.data;
}

function toProviderError(twilioResponse: TwilioResponse): ProviderError {
  const twilioError = parseTwilioError(twilioResponse);
  const retryAfterSeconds = parseRetryAfterSeconds(twilioResponse.headers);
  const facts = {
    ...(twilioError ? { code: String(twilioError.code), detail: twilioError.message } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  if (twilioResponse.status === 401) return createError(twilioResponse, 'unauthorized', facts);
  if (twilioResponse.status === 429) return createError(twilioResponse, 'throttled', facts);
  const isRefusal = twilioResponse.status >= 400 && twilioResponse.status < 500 && twilioResponse.status !== 408;
  return createError(twilioResponse, isRefusal ? 'refused' : 'unknown', facts);
}

function createError(
  twilioResponse: TwilioResponse,
  kind: ProviderFailure,
  facts: Pick<ProviderErrorFacts, 'code' | 'detail' | 'retryAfterSeconds'>,
) {
  const requestId = twilioResponse.headers.get('twilio-request-id');
  return new ProviderError(kind, {
    provider: 'twilio',
    operation: twilioResponse.operation,
    status: twilioResponse.status,
    ...facts,
    ...(requestId === null ? {} : { requestId }),
  });
}

function parseTwilioError({ status, body }: TwilioResponse): z.infer<typeof twilioErrorWire> | undefined {
  return status < 400 ? undefined : twilioErrorWire.safeParse(body).data;
}
