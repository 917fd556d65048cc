/** The only way to call the server: `apiRequest` in event handlers, `apiQuery` for useQuery. */
import type { Endpoint, EndpointInput, EndpointOutput } from '@portal/contract/endpoint.ts';
import { queryOptions } from '@tanstack/react-query';
import { consumePrefetchedResponse } from './prefetched-responses.ts';
import { sendWithFactor } from './factor-prompt.ts';
import { createHttpTransport, type RequestOptions, type Transport } from './http-transport.ts';
import { ApiError } from './problem-to-error.ts';

export { ApiError } from './problem-to-error.ts';

const defaultTransport = createHttpTransport({
  fetch: (url, options) =>
    (typeof url === 'string' && options?.method === 'GET' ? consumePrefetchedResponse(url) : undefined) ?? fetch(url, options),
  goTo: (url) => location.assign(url),
});
let transport: Transport = defaultTransport;

/** Sends all requests through another transport (the demo responds from memory). Returns a function that restores HTTP. */
export function setTransport(replacement: Transport): () => void {
  transport = replacement;
  return () => {
    transport = defaultTransport;
  };
}

/** Sends a request and parses the response. Every failure is an ApiError. */
export async function apiRequest<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  options: RequestOptions = {},
): Promise<EndpointOutput<E>> {
  const body = await sendWithFactor(() => transport(endpoint, input as Readonly<Record<string, unknown>>, options));
  const parsedBody = endpoint.output.safeParse(body);
  if (!parsedBody.success) {
    const issuePath = parsedBody.error.issues[0]?.path.join('.') ?? '';
    throw new ApiError({
      status: 200,
      code: 'answer.unexpected',
      message: 'We’ve released an update. Reload this page to continue.',
      details: { path: endpoint.path, where: issuePath },
    });
  }
  return parsedBody.data as EndpointOutput<E>;
}

/** Options for useQuery. The key is the path and the input (docs/product/specification.md section 7). */
export function apiQuery<E extends Endpoint>(endpoint: E, input: EndpointInput<E>) {
  return queryOptions<EndpointOutput<E>, ApiError>({
    queryKey: [endpoint.path, input],
    queryFn: ({ signal }) => apiRequest(endpoint, input, { signal }),
  });
}
