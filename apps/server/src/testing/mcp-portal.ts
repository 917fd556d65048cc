/** A portal that apps can reach at its public URL, and users who give them consent. */
import type { connectedAppsApi } from '@portal/contract/connected-apps.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { TestInstance, TestPortal } from './open-test-portal.ts';
import { findFreeAddress } from './start-simulators.ts';
import type { Consent } from './test-app.ts';
import type { Browser } from './test-trader.ts';

export type McpPortal = { readonly url: string; readonly mcpUrl: string; readonly instance: TestInstance };

export async function openMcpPortal(portal: TestPortal): Promise<McpPortal> {
  const url = await findFreeAddress();
  const instance = await portal.openInstance({ site: { ...portal.deps.site, publicUrl: url } });
  await instance.app.listen({ port: Number(new URL(url).port), host: '127.0.0.1' });
  return { url, mcpUrl: `${url}/portal/mcp`, instance };
}

type Request = EndpointOutput<typeof connectedAppsApi.request>;

/** Does what the consent page does: reads the request, narrows the scopes, and approves it for the practice. */
export function consentAs(
  browser: Browser,
  companyId: string,
  narrowScopes: (requestedScopes: string[]) => string[] = (requestedScopes) => requestedScopes,
): Consent {
  return async (requestedScopes) => {
    const query = Object.fromEntries(requestedScopes.searchParams);
    const readResponse = await browser.get('/open-tax/programs/request', query);
    const { consent, reject_to: rejectUrl } = readResponse.body as Request;
    if (rejectUrl !== null && rejectUrl !== undefined) return new URL(rejectUrl);
    if (!consent) throw new Error(`no consent page: ${readResponse.status} ${JSON.stringify(readResponse.body)}`);
    const approvedResponse = await browser.post('/open-tax/programs/approve', {
      ...query,
      company_id: companyId,
      scopes: narrowScopes([...consent.scopes]),
    });
    if (approvedResponse.status !== 200)
      throw new Error(`not approved: ${approvedResponse.status} ${JSON.stringify(approvedResponse.body)}`);
    return new URL(String(approvedResponse.body['redirect_to']));
  };
}
