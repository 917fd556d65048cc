/** Lends a company's grant to a call, with the fraud-prevention headers of the person behind it. */
import { companies } from '@portal/db/schema/schema.ts';
import { buildFraudHeaders, type FraudHeaders } from '@portal/providers/hmrc/fraud-headers.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-terms.ts';
import { eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Caller } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { lendGrant, notConnected } from './lend-grant.ts';

/** The person behind a call and the connection it came by. */
export type Person = { readonly actor: Actor; readonly caller: Caller };

/** Runs the work with a trader's own grant, which reaches the trader's VAT number and no other. */
export async function useHmrc<Result>(
  deps: AppDeps,
  companyId: string,
  person: Person,
  work: (call: HmrcCall, vrn: string) => Promise<Result>,
): Promise<Result> {
  const [company] = await deps.database.db.select({ vrn: companies.vrn }).from(companies).where(eq(companies.id, companyId));
  const vrn = company?.vrn;
  if (!vrn) throw notConnected();
  return useAgentGrant(deps, companyId, fraudHeadersOf(deps, person), (call) => work(call, vrn));
}

/** Runs the work with a practice's grant, which reaches every client that has authorised it. The headers may be those of the person whose click a job carries out. */
export function useAgentGrant<Result>(
  deps: AppDeps,
  companyId: string,
  fraudHeaders: FraudHeaders,
  work: (call: HmrcCall) => Promise<Result>,
): Promise<Result> {
  return lendGrant(deps, companyId, (accessToken) => work({ accessToken, fraudHeaders }));
}

/** What HMRC must be told of the person behind a call and of the connection it came by. */
export function fraudHeadersOf(deps: AppDeps, { actor, caller }: Person): FraudHeaders {
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
