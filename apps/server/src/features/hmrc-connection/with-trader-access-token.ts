/** Calls HMRC with a company's access token and the fraud prevention headers of the user behind the call. */
import { companies } from '@portal/db/schema/schema.ts';
import { buildFraudHeaders, type FraudHeaders } from '@portal/providers/hmrc/fraud-headers.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-types.ts';
import type { CallOptions } from '@portal/providers/http/rate-limit-fetch.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Caller } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { withAccessToken, createNotConnectedError } from './with-access-token.ts';

/** The user behind a call, and the connection over which the request was made. */
export type ActingUser = { readonly actor: Actor; readonly caller: Caller };

/** Calls `work` with a trader's own access token, which covers only that trader's VAT number. `options` apply to its calls. */
export async function withTraderAccessToken<Result>(
  deps: AppDeps,
  companyId: string,
  user: ActingUser,
  work: (call: HmrcCall, vrn: string) => Promise<Result>,
  options: CallOptions = {},
): Promise<Result> {
  const [company] = await deps.database.db.select({ vrn: companies.vrn }).from(companies).where(eq(companies.id, companyId));
  const vrn = company?.vrn;
  if (!vrn) throw createNotConnectedError();
  return withAgentAccessToken(deps, companyId, toFraudHeaders(deps, user), (call) => work({ ...call, options }, vrn));
}

/**
 * Calls `work` with a practice's access token, which covers every client that has authorised it. For a job, the headers are those of the
 * user who started it.
 */
export function withAgentAccessToken<Result>(
  deps: AppDeps,
  companyId: string,
  fraudHeaders: FraudHeaders,
  work: (call: HmrcCall) => Promise<Result>,
): Promise<Result> {
  return withAccessToken(deps, companyId, (accessToken) => work({ accessToken, fraudHeaders }));
}

/** Returns the fraud prevention headers: HMRC requires details of the user and of their connection. */
export function toFraudHeaders(deps: AppDeps, { actor, caller }: ActingUser): FraudHeaders {
  const { device } = caller;
  return buildFraudHeaders({
    browser: {
      ...(device
        ? {
            userAgent: device.user_agent,
            screens: device.screens.map((screen) => ({
              width: screen.width,
              height: screen.height,
              scalingFactor: screen.scaling_factor,
              colourDepth: screen.colour_depth,
            })),
            windowSize: device.window,
            timezoneOffsetMinutes: device.utc_offset_minutes,
          }
        : {}),
      ...(caller.deviceId === undefined ? {} : { deviceId: caller.deviceId }),
    },
    connection: {
      clientIp: caller.ip,
      clientIpSeenAt: deps.clock.now(),
      ...(caller.port === undefined ? {} : { clientPort: caller.port }),
    },
    user: {
      userIds: { portal: actor.userId },
      ...(actor.secondFactor
        ? { multiFactor: [{ type: actor.secondFactor.type, at: actor.secondFactor.at, uniqueReference: actor.secondFactor.reference }] }
        : {}),
    },
    vendor: {
      productName: deps.site.brand,
      ...(deps.site.vendorPublicIp === undefined ? {} : { publicIp: deps.site.vendorPublicIp }),
      versions: { 'portal-web': deps.site.version, 'portal-server': deps.site.version },
    },
  });
}
