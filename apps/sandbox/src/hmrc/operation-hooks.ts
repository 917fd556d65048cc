/** The hooks shared by every route of HMRC's API: injected faults, the gateway's checks, and the record of the call. */
import type { FastifyRequest, onRequestAsyncHookHandler, onSendHookHandler, preHandlerAsyncHookHandler } from 'fastify';
import { createFaultHooks } from '../simulator/fault-hooks.ts';
import { requestUrl } from '../simulator/request.ts';
import { incrementCount } from './call-statistics.ts';
import { recordCall } from './fraud-header-service.ts';
import {
  authenticate,
  CALLER_KEY,
  openThrottle,
  REQUESTS_PER_SECOND,
  createThrottledError,
  type RouteAccess,
  type Caller,
} from './gateway.ts';
import { HmrcApiError } from './hmrc-api-error.ts';
import type { HmrcContext } from './hmrc-context.ts';

/** `name` identifies the operation in faults and in the record of calls. */
export type ApiOperation = {
  readonly name: string;
  readonly access: RouteAccess;
  /** Throws if the API itself rejects the request before the token is checked. */
  readonly checkBeforeGateway?: (request: FastifyRequest) => void;
  /** Returns the API's specific error for a rejected token, if it differs from the gateway's. */
  readonly rewordTokenError?: (error: HmrcApiError) => HmrcApiError;
};

export type OperationHooks = {
  readonly onRequest: onRequestAsyncHookHandler;
  readonly preHandler: preHandlerAsyncHookHandler[];
  readonly onSend: onSendHookHandler[];
};

/** Builds the hooks of one operation: `app.get(path, hooks({ name, access }), handler)`. */
export type BuildOperationHooks = (operation: ApiOperation) => OperationHooks;

/** HMRC allows each app 3 requests a second. */
const HMRC_LIMIT = 3;

export function openOperationHooks(context: HmrcContext): BuildOperationHooks {
  const throttle = openThrottle(() => Number(context.records.settings.get(REQUESTS_PER_SECOND) ?? context.requestsPerSecond ?? HMRC_LIMIT));
  return ({ name, access, checkBeforeGateway, rewordTokenError }) => {
    const faults = createFaultHooks(context.faults, name);
    return {
      onRequest: async (request) => request.setDecorator(CALLER_KEY, authenticate(context, request, access)),
      preHandler: [
        // Faults apply before the gateway's checks, so that they affect every caller.
        faults.preHandler,
        async (request) => {
          const caller = request.getDecorator<Caller | HmrcApiError>(CALLER_KEY);
          const isOverLimit = !(caller instanceof HmrcApiError) && caller.clientId !== undefined && !throttle.admit(caller.clientId);
          if (isOverLimit) {
            incrementCount(context, 'throttled');
            throw createThrottledError();
          }
          checkBeforeGateway?.(request);
          if (caller instanceof HmrcApiError) throw rewordTokenError?.(caller) ?? caller;
        },
      ],
      onSend: [
        (request, reply, payload, done) => {
          const caller = request.getDecorator<Caller | HmrcApiError>(CALLER_KEY);
          const path = requestUrl(request).pathname.slice(request.server.prefix.length);
          recordCall(
            context,
            {
              at: context.clock.now(),
              operation: name,
              method: request.method,
              path,
              status: reply.statusCode,
              ...(caller instanceof HmrcApiError ? {} : caller),
            },
            request.headers,
          );
          done(null, payload);
        },
        faults.onSend,
      ],
    };
  };
}
